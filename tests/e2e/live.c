/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * live [SECONDS [SLEEPERS]]: threads for --live. "owner" holds a lock, "waiter" waits for it,
 * "joiner" waits for the end of the waiter, "reader" waits for an empty pipe, and "pong" waits for
 * bytes from "ping". Every 10 ms, "ping" writes to its pipe, "closer" makes 100 calls of close(2)
 * that fail, and "writer" writes 1000 bytes to /dev/null. "brief" ends at once after 50 calls of
 * getppid(2). SLEEPERS more threads sleep. Ends after SECONDS (default 100).
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t locked;
static pthread_t waiter;
static int ends[2], pings[2];

static void name(const char *text)
{
	prctl(PR_SET_NAME, text);
}

static void *own(void *arg)
{
	name("owner");
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&locked);
	for (;;)
		sleep(1000);
	return arg;
}

static void *wait_for_lock(void *arg)
{
	name("waiter");
	pthread_mutex_lock(&lock);
	return arg;
}

static void *join(void *arg)
{
	name("joiner");
	pthread_join(waiter, NULL);
	return arg;
}

static void *receive(void *arg)
{
	char byte;

	name("reader");
	if (read(ends[0], &byte, 1) < 0)
		return NULL;
	return arg;
}

static void *fail(void *arg)
{
	name("closer");
	for (;;) {
		for (int i = 0; i < 100; i++)
			syscall(SYS_close, -1);
		usleep(10000);
	}
	return arg;
}

static void *send(void *arg)
{
	static const char bytes[1000];
	const int fd = open("/dev/null", O_WRONLY);

	name("writer");
	while (write(fd, bytes, sizeof(bytes)) == sizeof(bytes))
		usleep(10000);
	return arg;
}

static void *ping(void *arg)
{
	name("ping");
	while (write(pings[1], "", 1) == 1)
		usleep(10000);
	return arg;
}

static void *pong(void *arg)
{
	char byte;

	name("pong");
	while (read(pings[0], &byte, 1) == 1)
		;
	return arg;
}

static void *end(void *arg)
{
	name("brief");
	for (int i = 0; i < 50; i++)
		syscall(SYS_getppid);
	return arg;
}

static void *rest(void *arg)
{
	for (;;)
		sleep(1000);
	return arg;
}

static void start_sleepers(int n)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, &small, rest, NULL))
			_exit(1);
}

int main(int argc, char **argv)
{
	void *(*const others[])(void *) = {join, receive, fail, send, ping, pong, end};
	pthread_t thread;

	if (pipe(ends) || pipe(pings))
		return 1;
	pthread_barrier_init(&locked, NULL, 2);
	pthread_create(&thread, NULL, own, NULL);
	pthread_barrier_wait(&locked);
	pthread_create(&waiter, NULL, wait_for_lock, NULL);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		pthread_create(&thread, NULL, others[i], NULL);
	start_sleepers(argc > 2 ? atoi(argv[2]) : 0);
	sleep(argc > 1 ? (unsigned)atoi(argv[1]) : 100);
	_exit(5);
}
