/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stack of the main thread is walked while another task replaces the code that it runs, again
 * and again. The task shares its memory and may be untraced: a thread, or with "clone" another
 * process.
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
