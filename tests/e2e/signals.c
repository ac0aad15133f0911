/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals from each kind of sender. Some are handled or ignored, some interrupt or restart a
 * syscall, and one kills the process.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "e2e.h"

static void nothing(int sig)
{
	(void)sig;
}

int main(void)
{
	struct itimerval soon = {.it_value = {.tv_usec = 20000}};
	struct timespec second = {.tv_sec = 1};
	struct sigaction sa = {.sa_handler = nothing};
	union sigval value = {.sival_int = 77};
	struct rlimit no_core = {0, 0};
	sigset_t set;
	char c;
	int pipes[2];

	setrlimit(RLIMIT_CORE, &no_core);
	if (pipe(pipes))
		return 1;
	trace_from_here();
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	sa.sa_flags = SA_RESTART | SA_SIGINFO;
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaction(SIGRTMIN + 3, &sa, NULL);
	signal(SIGUSR2, SIG_IGN);

	raise(SIGUSR1);
	raise(SIGUSR2);
	sigqueue(getpid(), SIGRTMIN + 3, value);

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	sigpending(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);

	setitimer(ITIMER_REAL, &soon, NULL);
	nanosleep(&second, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	if (read(pipes[0], &c, 1) < 0)
		*(volatile char *)8 = 0;
	return 0;
}
