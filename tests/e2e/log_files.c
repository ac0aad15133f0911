/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * log_files THREADS: starts THREADS threads that exist at the same time. In each round, every
 * thread calls getppid() once.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS 3

static pthread_barrier_t barrier;

static void *run(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		syscall(SYS_getppid);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t attr;

	pthread_barrier_init(&barrier, NULL, n);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], &attr, run, NULL))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
