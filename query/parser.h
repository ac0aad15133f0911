/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the text of a query into a tree. Names are not looked up yet. */
#ifndef TRACER_QUERY_PARSER_H
#define TRACER_QUERY_PARSER_H

#include "query/node.h"

/* Parses q->text. Returns NULL after query_fail() if it is invalid. */
struct node *query_parse_expression(struct query *q);
/*
 * Parses fields separated by commas into an array *nodes of *n nodes in the arena. Returns false
 * after query_fail() if they are invalid.
 */
bool query_parse_fields(struct query *q, struct node **nodes, size_t *n);

#endif
