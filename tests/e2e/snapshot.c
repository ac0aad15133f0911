/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads that wait for locks and for input and, without an argument, a thread that runs. Prints
 * "holder TID" for the thread that holds the locks, and "ready PID" once all threads are in their
 * final state. The argument is the number of threads that wait for the first lock.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, pi, robust;
static int ends[2];
static sem_t ready;
static volatile unsigned turns;

static void begin(const char *name)
{
	prctl(PR_SET_NAME, name);
}

static void *holds(void *arg)
{
	begin("holder");
	pthread_mutex_lock(&plain);
	pthread_mutex_lock(&pi);
	pthread_mutex_lock(&robust);
	printf("holder %ld\n", (long)syscall(SYS_gettid));
	sem_post(&ready);
	for (;;)
		pause();
	return arg;
}

static void *wants_plain(void *arg)
{
	begin("plain");
	pthread_mutex_lock(&plain);
	return arg;
}

static void *wants_pi(void *arg)
{
	begin("pi");
	pthread_mutex_lock(&pi);
	return arg;
}

static void *wants_robust(void *arg)
{
	begin("robust");
	pthread_mutex_lock(&robust);
	return arg;
}

static void *reads(void *arg)
{
	char c[16];

	begin("reader");
	return read(ends[0], c, sizeof(c)) < 0 ? arg : NULL;
}

static void *runs(void *arg)
{
	begin("runner");
	for (;;)
		turns++;
	return arg;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL))
		exit(1);
	return t;
}

/* Waits until /proc shows all threads as sleeping. */
static void wait_for_sleepers(void)
{
	int awake;

	do {
		FILE *f = popen("cat /proc/$PPID/task/*/stat | grep -c ') [RD] '", "r");

		awake = 0;
		if (!f || fscanf(f, "%d", &awake) != 1)
			awake = 0;
		if (f)
			pclose(f);
	} while (awake > 0);
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attr;

	sem_init(&ready, 0, 0);
	if (pipe(ends))
		return 1;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&pi, &attr);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attr);
	start(holds);
	sem_wait(&ready);
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--)
		start(wants_plain);
	start(wants_pi);
	start(wants_robust);
	start(reads);
	wait_for_sleepers();
	if (argc <= 1)
		start(runs);
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}
