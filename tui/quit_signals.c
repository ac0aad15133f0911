/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/quit_signals.h"

#include <signal.h>

static volatile sig_atomic_t arrived;

static void on_signal(int sig)
{
	arrived = sig;
}

void quit_signals_catch(void)
{
	static const int signals[] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT};
	struct sigaction action = {.sa_handler = on_signal};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

bool quit_signals_arrived(void)
{
	return arrived;
}
