/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queries that are evaluated at syscall entry, for the if= of -e inject=. */
#ifndef TRACER_QUERY_ENTRY_H
#define TRACER_QUERY_ENTRY_H

#include "select/syscall_set.h"

struct query;

/*
 * Ends the program if the query uses a field that is not known at entry for any syscall in `set`.
 * The message begins with `what`.
 */
void query_check_entry(const struct query *q, const struct syscall_set *set, const char *what);

#endif
