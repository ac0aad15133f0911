/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A chain of threads: "second" sleeps until "first" writes to a pipe, "third" until "second" writes
 * to a socket pair, and the main thread until "third" writes to another pipe. Before it writes,
 * each thread sleeps for the time in milliseconds that its argument gives. The fourth argument is
 * the time for which the thread "aside" sleeps. No thread waits for "aside".
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int one[2], two[2], three[2];
static long times[4];

static void check(int done)
{
	if (!done)
		exit(1);
}

static void rest(long ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static void *first(void *arg)
{
	prctl(PR_SET_NAME, "first");
	rest(times[0]);
	check(write(one[1], "1", 1) == 1);
	return arg;
}

static void *second(void *arg)
{
	char c;

	prctl(PR_SET_NAME, "second");
	check(read(one[0], &c, 1) == 1);
	rest(times[1]);
	check(send(two[1], "2", 1, 0) == 1);
	return arg;
}

static void *third(void *arg)
{
	char c;

	prctl(PR_SET_NAME, "third");
	check(recv(two[0], &c, 1, 0) == 1);
	rest(times[2]);
	check(write(three[1], "3", 1) == 1);
	return arg;
}

static void *aside(void *arg)
{
	prctl(PR_SET_NAME, "aside");
	rest(times[3]);
	return arg;
}

int main(int argc, char **argv)
{
	static void *(*const runs[])(void *) = {first, second, third, aside};
	pthread_t thread;
	char c;

	check(argc == 5);
	check(!pipe(one) && !pipe(three) && !socketpair(AF_UNIX, SOCK_STREAM, 0, two));
	for (int i = 0; i < 4; i++)
		times[i] = atol(argv[i + 1]);
	for (int i = 0; i < 4; i++)
		check(!pthread_create(&thread, NULL, runs[i], NULL));
	check(read(three[0], &c, 1) == 1);
	return 0;
}
