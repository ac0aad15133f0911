/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Queries: expressions over the values of events, such as
 *
 *	name == "openat" && flags has O_CREAT && path == "/tmp/x"
 *
 * doc/query.md describes the language. A query is parsed and checked against the tables of syscalls
 * once, before anything is traced, and is then evaluated for each event.
 */
#ifndef TRACER_QUERY_QUERY_H
#define TRACER_QUERY_QUERY_H

#include "query/error.h"
#include "query/needs.h"
#include "query/subject.h"

struct query;

/*
 * Parses and checks an expression. Returns the query, which must be freed with query_free(). If the
 * expression is invalid, fills in *error and returns NULL. Copies the text.
 */
struct query *query_new(const char *text, struct query_error *error);
/*
 * Like query_new(), but ends the program if the expression is invalid. The error message begins
 * with `what`, such as "--where".
 */
struct query *query_parse(const char *text, const char *what);
/* Prints an error message and ends the program. */
void query_die(const char *text, const char *what, const struct query_error *error) attr_noreturn;
void query_free(struct query *q);

const char *query_text(const struct query *q);
/* Returns the data that the query needs: bits of enum query_needs. */
unsigned query_needs(const struct query *q);

enum truth query_eval(const struct query *q, const struct query_subject *subject);
/* Like query_eval(), for a syscall. */
enum truth query_eval_call(const struct query *q, const struct syscall_event *call, bool ended,
			   struct unwinder *unwinder);

#endif
