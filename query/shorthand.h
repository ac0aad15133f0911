/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds the queries of options that select calls without an expression: -e trace-fds=, -P and -e
 * stack=. An expression cannot name the fields for -e trace-fds= and -P.
 */
#ifndef TRACER_QUERY_SHORTHAND_H
#define TRACER_QUERY_SHORTHAND_H

#include "query/error.h"

struct number_set;
struct query;

/*
 * Returns a query that matches calls with a descriptor in the set. The query must be evaluated with
 * subject->watched.
 */
struct query *shorthand_fds(const struct number_set *fds);
/*
 * Add a path or a pattern to the query *paths, or create the query if *paths is NULL. The query
 * matches calls with at least one of the added paths or patterns, see select/watched.h. The query
 * must be evaluated with subject->watched. A pattern is also compared with the absolute form of
 * paths. If a pattern is invalid, writes the reason to `why` and returns false.
 */
void shorthand_add_path(struct query **paths, const char *path);
bool shorthand_add_pattern(struct query **paths, const char *pattern, char why[QUERY_WHY]);
/*
 * Returns a query that matches calls with a stack frame that matches the regular expression. If
 * `inverted` is set, the query matches calls without such a frame. If the regular expression is
 * invalid, writes the reason to `why` and returns NULL.
 */
struct query *shorthand_stack(const char *regex, bool inverted, char why[QUERY_WHY]);

#endif
