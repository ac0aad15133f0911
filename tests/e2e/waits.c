/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads that wait for locks on a file (the argument), for another thread to end, and in
 * epoll_wait. Two children hold the locks. Prints "NAME ID" lines once all threads sleep.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 5

static int file, ends[2];
static volatile int begun;
static pthread_t ending;

/* Threads must call this directly before the syscall in which they wait. */
static void begin(const char *name)
{
	prctl(PR_SET_NAME, name);
	__atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
}

static void *wants_flock(void *arg)
{
	begin("flocker");
	flock(file, LOCK_EX);
	return arg;
}

static void *wants_bytes(void *arg)
{
	struct flock l = {.l_type = F_RDLCK, .l_start = 15, .l_len = 10};

	begin("fcntler");
	fcntl(file, F_SETLKW, &l);
	return arg;
}

static void *never_ends(void *arg)
{
	printf("endless %ld\n", (long)syscall(SYS_gettid));
	begin("endless");
	for (;;)
		pause();
	return arg;
}

static void *joins(void *arg)
{
	begin("joiner");
	pthread_join(ending, NULL);
	return arg;
}

static void *polls(void *arg)
{
	struct epoll_event e = {.events = EPOLLIN};
	int epoll = epoll_create1(0);

	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &e);
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1], &e);
	begin("poller");
	/* A stop of the process interrupts the syscall; see signal(7). */
	while (epoll_wait(epoll, &e, 1, -1) < 0)
		continue;
	return arg;
}

/*
 * Locks ten bytes of the file, starting at `start`. If `start` is not 0, also locks the whole file
 * with flock(2). Does not return.
 */
static void hold(const char *path, long start, int *started)
{
	struct flock l = {.l_type = F_WRLCK, .l_start = start, .l_len = 10};
	int fd = open(path, O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (start && flock(fd, LOCK_EX))
		_exit(1);
	if (fcntl(fd, F_SETLK, &l) || write(started[1], "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static pid_t start_holder(const char *path, long start)
{
	int started[2];
	pid_t pid;
	char c;

	if (pipe(started))
		exit(1);
	pid = fork();
	if (!pid)
		hold(path, start, started);
	close(started[1]);
	if (read(started[0], &c, 1) != 1)
		exit(1);
	return pid;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL))
		exit(1);
	return t;
}

/* Waits until /proc shows that all threads have begun and sleep. */
static void wait_for_sleepers(void)
{
	int awake;

	do {
		FILE *f = popen("cat /proc/$PPID/task/*/stat | grep -c ') [RD] '", "r");

		awake = 1;
		if (f && fscanf(f, "%d", &awake) != 1)
			awake = 1;
		if (f)
			pclose(f);
	} while (awake || begun < THREADS);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	file = open(argv[1], O_RDWR | O_CREAT, 0600);
	if (file < 0 || pipe(ends))
		return 1;
	printf("other %d\n", (int)start_holder(argv[1], 0));
	printf("holder %d\n", (int)start_holder(argv[1], 10));
	ending = start(never_ends);
	start(wants_flock);
	start(wants_bytes);
	start(joins);
	start(polls);
	wait_for_sleepers();
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}
