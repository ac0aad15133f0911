/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the text of a query into a tree. Does not look up names. */
#ifndef TRACER_QUERY_PARSER_H
#define TRACER_QUERY_PARSER_H

#include "query/node.h"

/* Parses q->text. If it is invalid, calls query_fail() and returns NULL. */
struct node *query_parse_expression(struct query *q);
/*
 * Parses a comma-separated list of fields. Stores them in *nodes, an array of *n elements in the
 * arena. If the list is invalid, calls query_fail() and returns false.
 */
bool query_parse_fields(struct query *q, struct node **nodes, size_t *n);

#endif
