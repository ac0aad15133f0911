/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of all fields except the arguments of syscalls. */
#ifndef TRACER_QUERY_FIELDS_H
#define TRACER_QUERY_FIELDS_H

#include "query/node.h"

/* The type of a field. It determines what the field can be compared with. */
enum field_type {
	FIELD_IS_NUMBER,
	FIELD_IS_ERRNO,
	FIELD_IS_SIGNAL,
	FIELD_IS_DURATION,
	FIELD_IS_SIZE,
	FIELD_IS_TEXT,
	FIELD_IS_PATH,	  /* text; == compares it with a path pattern */
	FIELD_IS_SYSCALL, /* a word: the name of a syscall or signal */
	FIELD_IS_CLASS,
	FIELD_IS_ABI,
	FIELD_IS_KIND,
	FIELD_IS_STACK /* can only be compared with =~ and !~ */
};

struct field_desc {
	const char *name;
	enum field_kind kind;
	enum field_type type;
	unsigned needs; /* data needed to evaluate the field: bits of enum query_needs */
	const char *help;
};

/* The fields, in the order of --help=query. In the last entry, the name is NULL. */
extern const struct field_desc query_fields[];

const struct field_desc *field_desc_of(enum field_kind kind);
/*
 * Returns the field with the longest name that is a prefix of `f`, or NULL. Sets *used to the
 * number of steps in this prefix.
 */
const struct field_desc *field_find(const struct field_ref *f, size_t *used);

/* Returns true if `name` is a possible value of the field `kind`. */
bool field_is_event_kind(const char *name);

#endif
