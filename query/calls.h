/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The syscalls for which a query may be true, for filters that see only syscall numbers. */
#ifndef TRACER_QUERY_CALLS_H
#define TRACER_QUERY_CALLS_H

#include "select/syscall_set.h"

struct query;

/*
 * Fills set with the syscalls for which the query may be true, judging by their names, classes and
 * arguments.
 */
void query_calls(const struct query *q, struct syscall_set *set);

/* Sets the bit of each row of syscall_descs for which the query may be true. */
void query_rows(const struct query *q, uint8_t *rows);

#endif
