/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types and named constants that the tables give to the arguments of syscalls. */
#ifndef TRACER_QUERY_TYPES_H
#define TRACER_QUERY_TYPES_H

#include "linux/syscall_desc.h"
#include "query/names.h"

/* The forms that a value may have, as bits. */
enum value_form {
	FORM_NUMBER = 1 << 0,
	FORM_TEXT = 1 << 1,
	FORM_FLAGS = 1 << 2, /* a number made of flags, or a set of names */
	FORM_STRUCT = 1 << 3,
	FORM_ARRAY = 1 << 4,
	FORM_PATH = 1 << 5, /* together with FORM_TEXT: the name of a file */
	FORM_FD = 1 << 6,   /* together with FORM_NUMBER: a descriptor */
	FORM_ANY = 1 << 7   /* the form is known only to a decoder function */
};

/* All types that a field may have. {0} is empty. Free it with types_deinit(). */
struct types {
	VEC(const struct type *) list;
	unsigned forms; /* bits of enum value_form */
	bool verbose;	/* all types are those of members that only -v decodes */
	/* A function decodes one of the types, so constants of any table are possible. */
	bool decoded;
	xlats_t tables;		 /* tables whose names are possible */
	VEC(const char *) names; /* further names that are possible */
};

void types_deinit(struct types *t);
/*
 * Adds the types of all arguments called name, in all syscalls and their variants. Sets the bits of
 * their rows in rows, which has ROW_COUNT bits. Returns false if no row has the argument.
 */
bool types_of_argument(struct types *t, const char *name, uint8_t *rows);
/* Does the same for only the syscalls whose bits are set in rows. Returns their number. */
unsigned types_of_argument_in(struct types *t, const char *name, const uint8_t *rows);
/* Returns whether calls of a row have an argument called name that is known at their entry. */
bool types_enters(const struct syscall_desc *desc, const char *name);
/* Returns the forms of all arguments that calls of a row may have: bits of enum value_form. */
unsigned types_of_row(const struct syscall_desc *desc);
/*
 * Replaces t by the types of one of its members, or of its elements. Returns false if it has none.
 */
bool types_enter_member(struct types *t, const char *name);
bool types_enter_elements(struct types *t);
/* Pass the names of all arguments, or of the members of t, to suggestion_consider(). */
void types_suggest_argument(struct suggestion *s);
void types_suggest_member(const struct types *t, struct suggestion *s);

#endif
