/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread "waiter" waits in several ways. The main thread, "waker", ends each wait once the
 * waiter sleeps. Finally the main thread waits for the process "child", which exits once the main
 * thread sleeps. The waker closes a pipe with close(2) or, with the argument "dup2", with dup2(2).
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int pipes[2], sockets[2], parting[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long waiter;

static void check(int done)
{
	if (!done)
		exit(1);
}

static void *wait_in_turn(void *arg)
{
	char c;

	prctl(PR_SET_NAME, "waiter");
	waiter = syscall(SYS_gettid);
	check(read(pipes[0], &c, 1) == 1);
	check(recv(sockets[0], &c, 1, 0) == 1);
	check(read(parting[0], &c, 1) == 0);
	pthread_mutex_lock(&mutex);
	return arg;
}

/* Waits until a thread sleeps in a syscall. */
static void let_sleep(long tid)
{
	char path[64], text[512], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/stat", tid, tid);
	do {
		fd = open(path, O_RDONLY);
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
		check(n > 0);
		text[n] = '\0';
		state = strrchr(text, ')');
		check(state != NULL);
	} while (strncmp(state, ") S", 3));
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pid_t child;

	check(!pipe(pipes) && !pipe(parting) && !socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	prctl(PR_SET_NAME, "waker");
	pthread_mutex_lock(&mutex);
	check(!pthread_create(&thread, NULL, wait_in_turn, NULL));
	while (!waiter)
		sched_yield();
	let_sleep(waiter);
	check(write(pipes[1], "", 1) == 1);
	let_sleep(waiter);
	check(send(sockets[1], "", 1, 0) == 1);
	let_sleep(waiter);
	check(argc > 1 && !strcmp(argv[1], "dup2") ? dup2(pipes[0], parting[1]) >= 0
						   : !close(parting[1]));
	let_sleep(waiter);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	child = fork();
	if (!child) {
		prctl(PR_SET_NAME, "child");
		let_sleep(getppid());
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}
