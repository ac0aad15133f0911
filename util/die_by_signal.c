/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/die_by_signal.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

void die_by_signal(int sig)
{
	sigset_t set;

	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(sig, SIG_DFL);
	/* The signal may have been blocked when tracer was started. */
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}
