/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tables say about the values of arguments: which types they have, with which names. */
#ifndef TRACER_QUERY_TYPES_H
#define TRACER_QUERY_TYPES_H

#include "linux/syscall_desc.h"
#include "query/names.h"

/* Bits: the forms that a value may have. */
enum value_form {
	FORM_NUMBER = 1 << 0,
	FORM_TEXT = 1 << 1,
	FORM_FLAGS = 1 << 2, /* a number with flags, or a set of names */
	FORM_STRUCT = 1 << 3,
	FORM_ARRAY = 1 << 4,
	FORM_PATH = 1 << 5, /* with FORM_TEXT: names a file */
	FORM_FD = 1 << 6,   /* with FORM_NUMBER */
	FORM_ANY = 1 << 7   /* a function decides */
};

/* What the values that a field may have have in common. {0} is empty; types_deinit() frees it. */
struct types {
	VEC(const struct type *) list;
	unsigned forms; /* bits of enum value_form */
	bool verbose;	/* each of them is in a member that only -v decodes */
	bool decoded; /* a function decodes one of them, so that names of any table are possible */
	xlats_t tables;		 /* that name numbers */
	VEC(const char *) names; /* other names of numbers */
};

void types_deinit(struct types *t);
/*
 * Fills in types with those of the argument called name of all syscalls and their variants, and
 * sets the bits of their rows in rows, which has ROW_COUNT bits. Returns false if no row has it.
 */
bool types_of_argument(struct types *t, const char *name, uint8_t *rows);
/* The same, of the syscalls whose bits are set in rows. Returns their number. */
unsigned types_of_argument_in(struct types *t, const char *name, const uint8_t *rows);
/* Whether calls of a row have the argument called name when they are entered. */
bool types_enters(const struct syscall_desc *desc, const char *name);
/* The forms of all arguments that calls of a row may have: bits of enum value_form. */
unsigned types_of_row(const struct syscall_desc *desc);
/* Replaces t by the types of a member, or of the elements. Returns false if there are none. */
bool types_enter_member(struct types *t, const char *name);
bool types_enter_elements(struct types *t);
/* Considers names of arguments, or of members of t. */
void types_suggest_argument(struct suggestion *s);
void types_suggest_member(const struct types *t, struct suggestion *s);

#endif
