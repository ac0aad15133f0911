/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of small numbers as options write them: [!]all, [!]none or
 * [!]VALUE[,VALUE]…, where each value is looked up by name: descriptors,
 * signals, return statuses, kinds of messages.
 */
#ifndef TRACER_NUMBER_SET_H
#define TRACER_NUMBER_SET_H

#include "defs.h"
#include "util/vec.h"

/* Zero-initialised is valid and empty. */
struct number_set {
	VEC(unsigned) members; /* ascending, without duplicates */
	bool inverted;	       /* all numbers but the members */
};

/* A name's number, or -1. */
typedef int number_lookup(const char *name);

/*
 * Replaces set by what text says; "invalid WHAT 'VALUE'" ends the program when
 * a value is none.
 */
void number_set_parse(struct number_set *set, const char *text, const char *what,
		      number_lookup *lookup);
bool number_set_has(const struct number_set *set, unsigned n);
/* The bits 1 << member of an enum whose numbers are below count. */
unsigned number_set_bits(const struct number_set *set, unsigned count);
void number_set_deinit(struct number_set *set);

/* Decimal, up to INT_MAX. */
int number_lookup_fd(const char *name);
/* 0 to 255, or a name with or without SIG, in any case: "INT", "sigint", "SIGRT_1". */
int number_lookup_signal(const char *name);
/* 1 to 4095, or a name in any case, the kernel's internal ones included: "ENOENT". */
int number_lookup_errno(const char *name);

#endif
