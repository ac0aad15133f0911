/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs that benchmarks trace.
 *
 * work getppid N          calls getppid() N times
 * work deep D N           calls getppid() N times, with D functions on the stack
 * work threads T N        T concurrent threads make N calls of getppid() in total
 * work forks N            creates N children, one after another
 * work rare N             calls stat() N times, and chdir() every 10,000 times
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *call_repeatedly(void *arg)
{
	for (long n = (long)arg; n > 0; n--)
		syscall(SYS_getppid);
	return NULL;
}

/*
 * Makes n syscalls below `depth` levels of recursion. Must not be inlined or compiled as a tail
 * call, because each level of recursion needs a stack frame.
 */
__attribute__((noinline)) static void deep(long depth, long n)
{
	if (depth > 1)
		deep(depth - 1, n);
	else
		call_repeatedly((void *)n);
	__asm__ volatile("");
}

static pthread_barrier_t all_there;

static void *call_in_parallel(void *arg)
{
	pthread_barrier_wait(&all_there);
	call_repeatedly(arg);
	/* Keep all threads alive until the last thread has made its calls. */
	pthread_barrier_wait(&all_there);
	return NULL;
}

static int threads(int count, long calls)
{
	pthread_t *t = calloc((size_t)count, sizeof(*t));
	pthread_attr_t attr;

	pthread_barrier_init(&all_there, NULL, (unsigned)count);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (int i = 0; i < count; i++) {
		if (pthread_create(&t[i], &attr, call_in_parallel, (void *)(calls / count))) {
			perror("work: pthread_create");
			return 1;
		}
	}
	for (int i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	free(t);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (!strcmp(what, "getppid")) {
		call_repeatedly((void *)n);
	} else if (!strcmp(what, "deep") && argc > 3) {
		deep(n, atol(argv[3]));
	} else if (!strcmp(what, "threads") && argc > 3) {
		return threads((int)n, atol(argv[3]));
	} else if (!strcmp(what, "forks")) {
		while (n-- > 0) {
			if (!fork())
				_exit(0);
			wait(NULL);
		}
	} else if (!strcmp(what, "rare")) {
		struct stat st;

		while (n-- > 0) {
			if (stat(".", &st) || (n % 10000 == 0 && chdir(".")))
				return 1;
		}
	} else {
		fputs("usage: work getppid|deep|threads|forks|rare N...\n", stderr);
		return 2;
	}
	return 0;
}
