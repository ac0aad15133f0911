/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where output goes without -o. Calls of running programs go to standard error, as strace's do,
 * because the program has standard output. What is read from traces, and snapshots, go to standard
 * output; on a terminal through a pager, which is chosen as git(1) chooses its own.
 */
#ifndef TRACER_CLI_DEFAULT_OUTPUT_H
#define TRACER_CLI_DEFAULT_OUTPUT_H

#include "cli/options.h"

/* Whether output goes to a terminal, with or without a pager; false with -o. */
bool default_output_is_terminal(const struct options *o);
/*
 * The path for output_open(). The pager is $TRACER_PAGER, or $PAGER, or less if it is installed;
 * there is none if that is empty or "cat". Sets $LESS for it unless it is set.
 */
const char *default_output_path(const struct options *o);

#endif
