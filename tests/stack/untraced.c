/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The main thread's stack is walked while another task replaces the code that the thread runs,
 * again and again. That task shares the memory and may be untraced. It is a thread or, with the
 * argument "clone", a process.
 */
#include "swap.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static int changer(void *arg)
{
	(void)arg;
	for (int i = 0; i < 40; i++)
		swap(i);
	return 0;
}

static void *changer_thread(void *arg)
{
	changer(arg);
	return NULL;
}

int main(int argc, char **argv)
{
	TRUTH;
	pthread_t t;

	libraries = argv + 1;
	if (argc > 5)
		clone(changer, (char *)malloc(1 << 18) + (1 << 18) - 64,
		      CLONE_VM | CLONE_FILES | SIGCHLD, NULL);
	else
		pthread_create(&t, NULL, changer_thread, NULL);
	for (int i = 0; i < 40; i++)
		walk(i);
	if (argc > 5)
		wait(NULL);
	else
		pthread_join(t, NULL);
	check();
	return 0;
}
