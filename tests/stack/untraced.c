/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The main thread is walked; what it runs is replaced, again and again, by a
 * task that shares its memory and need not be traced: a thread, or with "clone"
 * a process of its own.
 */
#include "truth.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define AT ((char *)0x10000000000)
typedef void callback(void);

static char **libraries;
static volatile int turn, ready;

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static int changer(void *arg)
{
	(void)arg;
	for (int i = 0; i < 40; i++) {
		int fd = open(libraries[i % 2], O_RDONLY);

		if (mmap(AT, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
			 atol(libraries[2 + i % 2])) != AT)
			abort();
		close(fd);
		ready = i + 1;
		while (turn != i + 1)
			sched_yield();
	}
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
	for (int i = 0; i < 40; i++) {
		while (ready != i + 1)
			sched_yield();
		truth_names[truth_depth++] = "frame_of_layout";
		((void (*)(callback *))AT)(leaf);
		truth_depth--;
		turn = i + 1;
	}
	if (argc > 5)
		wait(NULL);
	else
		pthread_join(t, NULL);
	check();
	return 0;
}
