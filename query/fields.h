/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The fields that every event has, or may have, whatever its call: the table of them. */
#ifndef TRACER_QUERY_FIELDS_H
#define TRACER_QUERY_FIELDS_H

#include "query/node.h"

/* What the values of a field are, which decides what they can be compared with. */
enum field_type {
	FIELD_IS_NUMBER,
	FIELD_IS_ERRNO,
	FIELD_IS_SIGNAL,
	FIELD_IS_DURATION,
	FIELD_IS_SIZE,
	FIELD_IS_TEXT,
	FIELD_IS_PATH,	  /* text that == compares by patterns */
	FIELD_IS_SYSCALL, /* a word: the name of a syscall, or of a signal */
	FIELD_IS_CLASS,
	FIELD_IS_ABI,
	FIELD_IS_KIND,
	FIELD_IS_STACK /* only =~ and !~ */
};

struct field_desc {
	const char *name;
	enum field_kind kind;
	enum field_type type;
	unsigned needs; /* bits of enum query_needs */
	const char *help;
};

/* The fields, in the order of --help=query; ends with a name that is NULL. */
extern const struct field_desc query_fields[];

/* The field of that kind. */
const struct field_desc *field_desc_of(enum field_kind kind);
/* The longest field that begins with the names of f; *used is the number of steps that it takes. */
const struct field_desc *field_find(const struct field_ref *f, size_t *used);

/* The kinds of events. */
bool field_is_event_kind(const char *name);

#endif
