/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Long-running loads that are not hostile, for make soak and make check-kill. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

static time_t end_time;

static bool is_time_left(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec < end_time;
}

static void nothing(int sig)
{
	(void)sig;
}

static void *some_marks(void *arg)
{
	for (int i = 0; i < 20; i++)
		mark();
	return arg;
}

/* Repeatedly starts and joins threads, maps and unmaps files, and sends signals. */
static void busy_process(void)
{
	char buf[4096];
	pthread_t t[4];

	signal(SIGUSR1, nothing);
	while (is_time_left()) {
		int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		void *file = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

		for (int i = 0; i < 200; i++) {
			if (read(fd, buf, sizeof(buf)) < 0)
				_exit(1);
			mark();
		}
		munmap(file, 8192);
		close(fd);
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, some_marks, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
		raise(SIGUSR1);
	}
}

/* Starts many processes. Every fourth process executes this program again. */
static void many_processes(const char *self, const char *counts)
{
	for (unsigned i = 0; is_time_left(); i++) {
		pid_t pid = fork();

		if (!pid) {
			mark();
			if (i % 4 == 0)
				execl(self, self, "leaf", "1", counts, NULL);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

void soak(long seconds, const char *self, int counts_fd)
{
	char counts[16];
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	end_time = t.tv_sec + seconds;
	snprintf(counts, sizeof(counts), "%d", counts_fd);
	for (int i = 0; i < 3; i++) {
		if (fork())
			continue;
		if (i < 2)
			busy_process();
		else
			many_processes(self, counts);
		_exit(0);
	}
	while (wait(NULL) > 0) {
	}
}

void times(long n)
{
	int fd = open("times", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int64_t *at;
	struct timespec t;

	if (ftruncate(fd, (n + 1) * (long)sizeof(*at)))
		exit(2);
	at = mmap(NULL, (n + 1) * sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (long i = 1; i <= n; i++) {
		syscall(SYS_getpgid, 1000000000 + i);
		clock_gettime(CLOCK_MONOTONIC, &t);
		__atomic_store_n(&at[i], t.tv_sec * 1000000000ll + t.tv_nsec, __ATOMIC_SEQ_CST);
		if (n % 2)
			nanosleep(&(struct timespec){0, 1000000}, NULL);
		if ((n % 2 || i % 64 == 0) && !access("done", F_OK))
			break;
	}
}
