/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --tui: browses a trace, or a program while it is traced, in the terminal. */
#ifndef TRACER_TUI_TUI_H
#define TRACER_TUI_TUI_H

struct options;

/* Browses the trace or the program that the options select. Returns the exit status. */
int tui_main(const struct options *o);

#endif
