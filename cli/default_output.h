/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where output goes without -o. Syscalls of live processes go to standard error, as strace's output
 * does, because the program uses standard output. Output from traces and snapshots goes to standard
 * output; on a terminal it goes through a pager, which is chosen in the same way as git(1) chooses
 * one.
 */
#ifndef TRACER_CLI_DEFAULT_OUTPUT_H
#define TRACER_CLI_DEFAULT_OUTPUT_H

#include "cli/options.h"

/* Whether output goes to a terminal, directly or through a pager. Returns false with -o. */
bool default_output_is_terminal(const struct options *o);
/*
 * Returns the path for output_open(). The pager is $TRACER_PAGER, $PAGER, or less if it is
 * installed. An empty value or "cat" means no pager. Sets $LESS for the pager if it is unset.
 */
const char *default_output_path(const struct options *o);

#endif
