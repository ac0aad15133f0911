/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of small numbers, such as descriptors, signals, return statuses or kinds of messages.
 * Options describe a set as [!]all, [!]none or [!]VALUE[,VALUE]…. A function converts each VALUE.
 */
#ifndef TRACER_UTIL_NUMBER_SET_H
#define TRACER_UTIL_NUMBER_SET_H

#include "defs.h"
#include "util/vec.h"

/* The set; initially {0}. Free it with number_set_deinit(). */
struct number_set {
	VEC(unsigned) members; /* in ascending order, without duplicates */
	bool inverted;	       /* true if the set contains all numbers except `members` */
};

/* Returns the number for a name, or -1 if the name is invalid. */
typedef int number_lookup(const char *name);

/* Parses a set. Ends the program if a value is invalid, with the message "invalid WHAT 'VALUE'". */
void number_set_parse(struct number_set *set, const char *text, const char *what,
		      number_lookup *lookup);
bool number_set_has(const struct number_set *set, unsigned n);
/*
 * Returns a bitmap of the members: bit N is set if N is a member. `count` is the number of bits, at
 * most 32.
 */
unsigned number_set_bits(const struct number_set *set, unsigned count);
void number_set_deinit(struct number_set *set);

/*
 * Lookup functions for option values. They return the number, or -1 if the value is invalid.
 * number_lookup_fd() accepts a decimal number up to INT_MAX.
 */
int number_lookup_fd(const char *name);
/*
 * Accepts a number from 0 to 255, or the name of a signal with or without SIG ("INT"). Ignores
 * case.
 */
int number_lookup_signal(const char *name);
/* Accepts a number from 1 to 4095, or the name of an error, as in errno_name(). Ignores case. */
int number_lookup_errno(const char *name);

#endif
