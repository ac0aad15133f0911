/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that end a view. */
#ifndef TRACER_TUI_QUIT_SIGNALS_H
#define TRACER_TUI_QUIT_SIGNALS_H

#include "defs.h"

/* Catches SIGHUP, SIGTERM, SIGINT and SIGQUIT. Ignores SIGPIPE. */
void quit_signals_catch(void);
/* Returns true if one of the signals has arrived. */
bool quit_signals_arrived(void);

#endif
