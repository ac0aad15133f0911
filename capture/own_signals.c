/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "capture/own_signals.h"

/*
 * A signal that arrives between the check of these flags and the sleep in wait4() does not
 * interrupt the sleep. To avoid this race, signals could be blocked around each wait, but this
 * would cost two system calls per stop. Instead, the handlers start a retry alarm, which goes off
 * repeatedly until the event loop has read the flags. The retry alarm and the alarm for deadlines
 * share one timer; see set_alarm().
 */
static volatile sig_atomic_t ending_signal;
static volatile sig_atomic_t requested;
static volatile sig_atomic_t alarmed;

#define RETRY_USEC 10000

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
static const int handled[] = {SIGHUP,  SIGINT,	SIGQUIT, SIGPIPE, SIGTERM, SIGALRM,
			      SIGCHLD, SIGTSTP, SIGTTOU, SIGTTIN, SIGUSR1};

static struct {
	bool installed;
	struct sigaction action[ARRAY_SIZE(handled)];
	sigset_t mask;
	bool armed;
	struct timespec armed_for;
} saved;

static void start_timer(long usec)
{
	struct itimerval it = {.it_interval.tv_usec = usec ? RETRY_USEC : 0,
			       .it_value = {usec / 1000000, usec % 1000000}};

	setitimer(ITIMER_REAL, &it, NULL);
}

static void on_ending_signal(int sig)
{
	ending_signal = sig;
	start_timer(RETRY_USEC);
}

static void on_request(int sig)
{
	requested = sig;
	start_timer(RETRY_USEC);
}

static void on_alarm(int sig attr_unused)
{
	alarmed = 1;
}

void own_signals_install(int interruptible, bool requests)
{
	struct sigaction sa = {0};
	sigset_t set;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		sigaction(handled[i], NULL, &saved.action[i]);
	saved.installed = true;

	/* wait4() returns EINTR only without SA_RESTART. */
	sa.sa_handler = interruptible <= 2 ? on_ending_signal : SIG_IGN;
	for (size_t i = 0; interruptible > 1 && i < ARRAY_SIZE(ending); i++)
		sigaction(ending[i], &sa, NULL);
	sa.sa_handler = on_request;
	if (requests)
		sigaction(SIGUSR1, &sa, NULL);
	sa.sa_handler = on_alarm;
	sigaction(SIGALRM, &sa, NULL);
	/* If SIGCHLD were ignored, the kernel would reap children before we see their status. */
	sa.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &sa, NULL);
	/*
	 * Ignore SIGTTOU. Otherwise, writing to the terminal would stop a tracer that runs in the
	 * background, and the tracees would stay stopped, too.
	 */
	sa.sa_handler = SIG_IGN;
	sigaction(SIGTTOU, &sa, NULL);
	sigaction(SIGTTIN, &sa, NULL);
	if (interruptible >= 4)
		sigaction(SIGTSTP, &sa, NULL);

	/* SIGALRM is needed for deadlines, so unblock it. Other blocked signals stay blocked. */
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, &saved.mask);
}

void own_signals_restore(void)
{
	if (!saved.installed)
		return;
	start_timer(0);
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		sigaction(handled[i], &saved.action[i], NULL);
	sigprocmask(SIG_SETMASK, &saved.mask, NULL);
	saved.installed = saved.armed = false;
	alarmed = 0;
}

/*
 * Starts the alarm for a deadline in usec microseconds, or stops it if usec is 0. If a signal
 * handler has run since the last own_signals_take(), this alarm may have replaced the retry alarm
 * of the handler, so the retry alarm is started again. A handler may also run during this function.
 * This is safe, because the handler sets its flag before it starts the timer.
 */
static void set_alarm(long usec)
{
	start_timer(usec);
	saved.armed = usec > 0;
	if (unlikely(ending_signal || requested)) {
		start_timer(RETRY_USEC);
		saved.armed = false;
	}
}

bool own_signals_pending(void)
{
	return ending_signal || requested || alarmed;
}

bool own_signals_ending(void)
{
	return ending_signal;
}

int own_signals_take(void)
{
	int sig = ending_signal ? ending_signal : requested;

	if (unlikely(sig)) {
		if (sig == ending_signal)
			ending_signal = 0;
		else
			requested = 0;
		set_alarm(0);
	}
	return sig;
}

static long usec_until(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (t->tv_sec - now.tv_sec) * 1000000 + (t->tv_nsec - now.tv_nsec + 999) / 1000;
}

static bool time_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

bool own_signals_deadline(const struct timespec *deadline)
{
	long usec;

	/*
	 * Usually nothing needs to be done: there is no deadline, or the current alarm goes off
	 * before the deadline.
	 */
	if (likely(!alarmed &&
		   (!deadline || (saved.armed && !time_before(deadline, &saved.armed_for)))))
		return false;
	alarmed = 0;
	if (!deadline) {
		set_alarm(0);
		return false;
	}
	usec = usec_until(deadline);
	if (usec <= 0) {
		if (saved.armed)
			set_alarm(0);
		return true;
	}
	saved.armed_for = *deadline;
	set_alarm(usec);
	return false;
}
