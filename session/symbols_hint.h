/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * At the end of the first run that shows stacks without names, prints a hint about the package that
 * contains the symbols.
 */
#ifndef TRACER_SESSION_SYMBOLS_HINT_H
#define TRACER_SESSION_SYMBOLS_HINT_H

struct unwind_config;
struct unwinder;

/*
 * Prints the hint if stderr is a terminal, names are missing because symbols are not installed, and
 * the user has not seen the hint yet. An empty file in $XDG_STATE_HOME/tracer records that the user
 * has seen the hint. u may be NULL.
 */
void symbols_hint(const struct unwinder *u, const struct unwind_config *config);

#endif
