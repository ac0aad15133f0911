/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the text of a query to its tree, in which names are not looked up yet. */
#ifndef TRACER_QUERY_PARSER_H
#define TRACER_QUERY_PARSER_H

#include "query/node.h"

/* Parses q->text. Returns NULL if it is wrong. */
struct node *query_parse_expression(struct query *q);
/* Parses fields that are separated by commas into *nodes, in the arena. false if they are wrong. */
bool query_parse_fields(struct query *q, struct node **nodes, size_t *n);

#endif
