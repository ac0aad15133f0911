/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A timer signal interrupts code in a procedure linkage table, which often has no CFI. */
#include "truth.h"

#include <signal.h>
#include <sys/time.h>

static volatile int ticks, value = -5;

static void on_alarm(int sig)
{
	TRUTH;
	(void)sig;
	check_more("?"); /* the signal may have interrupted a function that has not reached its
			    TRUTH yet */
	ticks++;
}

/* Calls a very short function, so that much of the time is spent in the procedure linkage table. */
static NOINLINE void busy(void)
{
	TRUTH;
	while (ticks < 60)
		value = -abs(value);
}

int main(void)
{
	TRUTH;
	struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval on = {{0, 2000}, {0, 2000}}, off = {{0, 0}, {0, 0}};

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &on, NULL);
	busy();
	setitimer(ITIMER_REAL, &off, NULL);
	check();
	return 0;
}
