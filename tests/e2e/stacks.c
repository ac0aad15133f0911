/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For stacks.sh: makes syscalls in functions whose stacks are known. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile int sink;

/*
 * Makes a syscall whose first argument, an invalid descriptor, identifies the place in the program
 * that makes the call.
 */
NOINLINE static void mark(int n)
{
	syscall(SYS_close, -n);
	sink++;
}

NOINLINE static void third(int n)
{
	mark(n);
	sink++;
}

NOINLINE static void second(int n)
{
	volatile char room[10000];

	room[0] = (char)n;
	third(n);
	room[1] = room[0];
}

NOINLINE void first(int n)
{
	second(n);
	sink++;
}

/* A function without a frame pointer. The size of its stack frame is known only at run time. */
NOINLINE static void dynamic(int n, size_t size)
{
	volatile char *room = __builtin_alloca(size);

	room[0] = 1;
	third(n);
	room[1] = room[0];
}

NOINLINE static void recurse(int depth, int n)
{
	if (depth == 0)
		mark(n);
	else
		recurse(depth - 1, n);
	sink++;
}

static void handler(int sig)
{
	third(sig == SIGUSR1 ? 102 : 103);
	sink++;
}

static void *thread(void *arg)
{
	usleep(50000); /* the other threads must block first, so that no line is split */
	first((int)(intptr_t)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction sa = {.sa_handler = handler};
	pthread_t t;
	pid_t child;

	if (argc > 1) {
		first(108);
		return 0;
	}
	first(101);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	sigaltstack(&other, NULL);
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &sa, NULL);
	raise(SIGUSR2);
	pthread_create(&t, NULL, thread, (void *)104);
	pthread_join(t, NULL);
	recurse(30, 105);
	dynamic(106, 3000 + (size_t)argc);
	child = fork();
	if (child == 0) {
		usleep(50000);
		first(107);
		execl(argv[0], argv[0], "again", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	return 0;
}
