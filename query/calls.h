/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the syscalls and the requests of io_urings that a query can match. Filters that see only
 * the numbers of syscalls, not their arguments, use the result.
 */
#ifndef TRACER_QUERY_CALLS_H
#define TRACER_QUERY_CALLS_H

#include "select/syscall_set.h"

struct query;

/*
 * Fills `set` with the syscalls and requests that the query can match, based on their names,
 * classes and arguments.
 */
void query_calls(const struct query *q, struct syscall_set *set);

/*
 * Returns true if the query uses only the fields `name` and `class`. Such a query matches all calls
 * in the set of query_calls().
 */
bool query_is_by_call(const struct query *q);

/* Sets a bit in `rows` for each row of syscall_descs that the query can match. */
void query_rows(const struct query *q, uint8_t *rows);

#endif
