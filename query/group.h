/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of fields whose values are taken from events: --group-by, --sum and --hist. */
#ifndef TRACER_QUERY_GROUP_H
#define TRACER_QUERY_GROUP_H

#include "event/event.h"
#include "util/strbuf.h"

#define GROUP_FIELDS_MAX 8

enum group_use {
	GROUP_KEYS,   /* fields of any type */
	GROUP_NUMBERS /* fields to be added up or counted by size */
};

struct group;

/*
 * Parses fields that are separated by commas, at most max. A mistake ends the program with a
 * message that begins with what: "--group-by".
 */
struct group *group_parse(const char *text, const char *what, enum group_use use, size_t max);
void group_free(struct group *g); /* NULL is fine */

size_t group_count(const struct group *g); /* 0 for NULL */
/* A field as it was given: "addr.sin_port". */
const char *group_name(const struct group *g, size_t i);
/* Whether all values of a field are integers, and whether they are nanoseconds. */
bool group_is_number(const struct group *g, size_t i);
bool group_is_time(const struct group *g, size_t i);
/* Bits of enum query_needs. */
unsigned group_needs(const struct group *g);

enum group_kind {
	GROUP_NOTHING, /* the event does not have the field */
	GROUP_NUMBER,
	GROUP_TEXT,
	GROUP_VALUE, /* value, which has names: flags, a constant */
	GROUP_STACK  /* the event's stack */
};

/* The value of a field; {0} at first. strbuf_deinit() frees its text. */
struct group_value {
	enum group_kind kind;
	bool negative;
	uint64_t number; /* of NUMBER; without its sign */
	struct strbuf text;
	const struct value *value;
};
/* Takes the value of field i from an event whose call has ended. */
void group_value(const struct group *g, size_t i, const struct event *e, struct group_value *v);

#endif
