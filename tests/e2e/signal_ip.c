/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals, and a stop, that come while the program is in no call: -i shows where that is. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t come;

static void on_signal(int sig)
{
	(void)sig;
	come++;
}

/*
 * The function has a section of its own, for which the linker defines symbols of its start and end:
 * ld(1).
 */
__attribute__((noinline, section("waiting"))) static void wait_for_signals(int n)
{
	while (come < n)
		;
}

extern const char __start_waiting[], __stop_waiting[];

int main(void)
{
	struct itimerval soon = {.it_value.tv_usec = 20000};
	pid_t parent = getpid();

	printf("%lx %lx\n", (long)__start_waiting, (long)__stop_waiting);
	fflush(stdout);
	signal(SIGALRM, on_signal);
	signal(SIGCONT, on_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	wait_for_signals(1);
	if (fork() == 0) {
		usleep(100000); /* the parent runs by then */
		kill(parent, SIGSTOP);
		usleep(100000); /* and has stopped by then */
		kill(parent, SIGCONT);
		_exit(0);
	}
	wait_for_signals(2);
	wait(NULL);
	return 0;
}
