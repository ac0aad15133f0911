/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of fields to read from events, for --group-by, --sum and --hist. */
#ifndef TRACER_QUERY_GROUP_H
#define TRACER_QUERY_GROUP_H

#include "event/event.h"
#include "util/strbuf.h"

#define GROUP_FIELDS_MAX 8

enum group_use {
	GROUP_KEYS,   /* fields of any type */
	GROUP_NUMBERS /* numeric fields, for sums and histograms */
};

struct group;

/*
 * Parses a comma-separated list of at most `max` fields. Ends the program if the list is invalid.
 * The message begins with `what`, such as "--group-by".
 */
struct group *group_parse(const char *text, const char *what, enum group_use use, size_t max);
void group_free(struct group *g);

size_t group_count(const struct group *g); /* Returns the number of fields, or 0 if `g` is NULL. */
/* Returns the name of a field as the user wrote it, such as "addr.sin_port". */
const char *group_name(const struct group *g, size_t i);
/*
 * group_is_number() returns true if all values of the field are integers. group_is_time() returns
 * true if they are times in nanoseconds.
 */
bool group_is_number(const struct group *g, size_t i);
bool group_is_time(const struct group *g, size_t i);
/* Returns the data that the fields need: bits of enum query_needs. */
unsigned group_needs(const struct group *g);

enum group_kind {
	GROUP_NOTHING, /* the event does not have the field */
	GROUP_NUMBER,
	GROUP_TEXT,
	GROUP_VALUE, /* a symbolic value: flags or a constant */
	GROUP_STACK  /* the event's stack */
};

/* The value of a field. Initialise it with {0}. Free its text with strbuf_deinit(). */
struct group_value {
	enum group_kind kind;
	bool negative;
	uint64_t number; /* GROUP_NUMBER: absolute value of the number */
	struct strbuf text;
	const struct value *value;
};
/* Reads the value of field `i` from an event. If the event is a call, the call must have ended. */
void group_value(const struct group *g, size_t i, const struct event *e, struct group_value *v);

#endif
