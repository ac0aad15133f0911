/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of the fields that do not depend on the syscall. */
#ifndef TRACER_QUERY_FIELDS_H
#define TRACER_QUERY_FIELDS_H

#include "query/node.h"

/* The type of a field, which decides what it can be compared with. */
enum field_type {
	FIELD_IS_NUMBER,
	FIELD_IS_ERRNO,
	FIELD_IS_SIGNAL,
	FIELD_IS_DURATION,
	FIELD_IS_SIZE,
	FIELD_IS_TEXT,
	FIELD_IS_PATH,	  /* a text that == compares with a path pattern */
	FIELD_IS_SYSCALL, /* a word: the name of a syscall or a signal */
	FIELD_IS_CLASS,
	FIELD_IS_ABI,
	FIELD_IS_KIND,
	FIELD_IS_STACK /* can only be compared by =~ and !~ */
};

struct field_desc {
	const char *name;
	enum field_kind kind;
	enum field_type type;
	unsigned needs; /* bits of enum query_needs */
	const char *help;
};

/* The fields, in the order of --help=query. The last entry has the name NULL. */
extern const struct field_desc query_fields[];

/* Returns the field of a kind. */
const struct field_desc *field_desc_of(enum field_kind kind);
/*
 * Returns the field with the longest name that f begins with, or NULL. Sets *used to the number of
 * steps of f that are part of this name.
 */
const struct field_desc *field_find(const struct field_ref *f, size_t *used);

/* Returns whether this is the name of a kind of event. */
bool field_is_event_kind(const char *name);

#endif
