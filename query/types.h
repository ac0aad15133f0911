/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The types of syscall arguments and the constants that are valid for them, according to the
 * tables.
 */
#ifndef TRACER_QUERY_TYPES_H
#define TRACER_QUERY_TYPES_H

#include "linux/syscall_desc.h"
#include "query/names.h"

/* Possible forms of a value, to be combined by OR. */
enum value_form {
	FORM_NUMBER = 1 << 0,
	FORM_TEXT = 1 << 1,
	FORM_FLAGS = 1 << 2, /* a number composed of flags, or a set of names */
	FORM_STRUCT = 1 << 3,
	FORM_ARRAY = 1 << 4,
	FORM_PATH = 1 << 5, /* a file name; set together with FORM_TEXT */
	FORM_FD = 1 << 6,   /* a file descriptor; set together with FORM_NUMBER */
	FORM_ANY = 1 << 7   /* only a decoder function knows the form */
};

/* All possible types of a field. Initialise the struct with {0}. Free it with types_deinit(). */
struct types {
	VEC(const struct type *) list;
	unsigned forms; /* bits of enum value_form */
	bool verbose;	/* true if all types belong to members that are decoded only with -v */
	/*
	 * true if a function decodes one of the types; constants from any table are then possible
	 */
	bool decoded;
	xlats_t tables;		 /* tables whose names are possible values */
	VEC(const char *) names; /* other names that are possible values */
};

void types_deinit(struct types *t);
/*
 * Adds the types of all arguments called `name`, in all syscalls and their variants. Sets the bits
 * of these syscalls in `rows`, a bitmap of ROW_COUNT bits. Returns false if no syscall has the
 * argument.
 */
bool types_of_argument(struct types *t, const char *name, uint8_t *rows);
/*
 * Like types_of_argument(), but only for the syscalls whose bits are set in `rows`. Returns the
 * number of these syscalls that have the argument.
 */
unsigned types_of_argument_in(struct types *t, const char *name, const uint8_t *rows);
/*
 * Returns true if the syscall or one of its variants has an argument called `name` that can be
 * known at syscall entry.
 */
bool types_enters(const struct syscall_desc *desc, const char *name);
/* Returns the possible forms of all arguments of the syscall: bits of enum value_form. */
unsigned types_of_row(const struct syscall_desc *desc);
/*
 * Replace the types in `t` by the types of a member, or of the elements. Return false if there are
 * none.
 */
bool types_enter_member(struct types *t, const char *name);
bool types_enter_elements(struct types *t);
/*
 * Pass the names of all arguments, or of all members of the types in `t`, to suggestion_consider().
 */
void types_suggest_argument(struct suggestion *s);
void types_suggest_member(const struct types *t, struct suggestion *s);

#endif
