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

static void wait_for_signals(int n)
{
	while (come < n)
		;
}

/* Where wait_for_signals() is: between these two. */
static void said(void)
{
	printf("%lx %lx\n", (long)wait_for_signals, (long)said);
	fflush(stdout);
}

int main(void)
{
	struct itimerval soon = {.it_value.tv_usec = 20000};
	pid_t parent = getpid();

	said();
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
