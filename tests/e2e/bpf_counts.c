/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf_counts PROCESSES THREADS CALLS: starts PROCESSES processes with THREADS threads each. Each
 * thread makes CALLS calls of getppid(2), CALLS calls of close(2) that fail, and two calls with
 * the unused number 0xbeef. One more process waits in pause(2) until the other processes have
 * ended, and is then killed.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls;

static void *run(void *arg)
{
	for (long i = 0; i < calls; i++) {
		syscall(SYS_getppid);
		syscall(SYS_close, -1);
	}
	syscall(0xbeef);
	syscall(0xbeef);
	return arg;
}

static void run_all(int n)
{
	pthread_t threads[512];

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	const int processes = argc > 3 ? atoi(argv[1]) : 0, threads = argc > 3 ? atoi(argv[2]) : 0;
	pid_t waits;

	if (processes < 1 || threads < 1 || threads > 512)
		return 2;
	calls = atol(argv[3]);
	waits = fork();
	if (!waits)
		for (;;)
			pause();
	for (int i = 0; i < processes; i++)
		if (!fork())
			run_all(threads);
	for (int i = 0; i < processes; i++)
		wait(NULL);
	kill(waits, SIGKILL);
	wait(NULL);
	return 0;
}
