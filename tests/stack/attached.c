/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process to attach to: one thread runs what another replaces, for ever. It
 * prints the two threads' ids.
 */
#include "truth.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#define AT ((char *)0x10000000000)
typedef void callback(void);

static char **libraries;
static volatile int turn, ready;

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static void *changer(void *arg)
{
	(void)arg;
	for (int i = 0;; i++) {
		int fd = open(libraries[i % 2], O_RDONLY);

		if (mmap(AT, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
			 atol(libraries[2 + i % 2])) != AT)
			abort();
		close(fd);
		ready = i + 1;
		while (turn != i + 1)
			sched_yield();
	}
	return NULL;
}

static NOINLINE void *walked(void *arg)
{
	TRUTH;
	(void)arg;
	for (int i = 0;; i++) {
		while (ready != i + 1)
			sched_yield();
		truth_names[truth_depth++] = "frame_of_layout";
		((void (*)(callback *))AT)(leaf);
		truth_depth--;
		turn = i + 1;
		usleep(1000);
	}
	return NULL;
}

static void *teller(void *arg)
{
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	return walked(arg);
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	(void)argc;
	libraries = argv + 1;
	pthread_create(&t, NULL, changer, NULL);
	pthread_create(&u, NULL, teller, NULL);
	pthread_join(t, NULL);
	return 0;
}
