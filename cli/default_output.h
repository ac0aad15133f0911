/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The destination of output without -o. Live tracing writes to standard error, as strace does,
 * because the traced program uses standard output. --read-trace, --snapshot and --live write to
 * standard output. If standard output is a terminal, --read-trace and --snapshot use a pager, which
 * is chosen in the same way as in git(1).
 */
#ifndef TRACER_CLI_DEFAULT_OUTPUT_H
#define TRACER_CLI_DEFAULT_OUTPUT_H

#include "cli/options.h"

struct seen;

/* Returns true if output goes to a terminal, directly or through a pager. Always false with -o. */
bool default_output_is_terminal(const struct options *o);
/*
 * Returns the width of the terminal in characters: $COLUMNS or, if unset, the width that the
 * terminal reports. Returns 0 if output does not go to a terminal, or if the width is unknown.
 */
unsigned default_output_width(const struct options *o);
/*
 * Sets colours, and how strings and the paths in stacks are shown. If tracer was started as strace,
 * strings and paths are shown as strace does. Ends the program if -x and --strings=utf8 are both
 * given.
 */
void default_output_style(struct options *o, const struct seen *seen);
/*
 * Returns the path for output_open(): "-", "|PAGER", or NULL for standard error. The pager is
 * $TRACER_PAGER, $PAGER, or less(1) if it is installed. An empty value or "cat" means no pager.
 * Sets $LESS for the pager if it is unset.
 */
const char *default_output_path(const struct options *o);

#endif
