/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of small numbers (descriptors, signals, return statuses, kinds of messages) in the syntax of
 * options: [!]all, [!]none or [!]VALUE[,VALUE]…, where a function converts each VALUE.
 */
#ifndef TRACER_UTIL_NUMBER_SET_H
#define TRACER_UTIL_NUMBER_SET_H

#include "defs.h"
#include "util/vec.h"

/* {0} is empty; number_set_deinit() frees it. */
struct number_set {
	VEC(unsigned) members; /* ascending, without duplicates */
	bool inverted;	       /* the set contains all numbers except the members */
};

/* Returns the number of a name, or -1 if there is none. */
typedef int number_lookup(const char *name);

/*
 * Sets *set to the numbers that text describes. If a value is invalid, the program ends with the
 * message "invalid WHAT 'VALUE'".
 */
void number_set_parse(struct number_set *set, const char *text, const char *what,
		      number_lookup *lookup);
bool number_set_has(const struct number_set *set, unsigned n);
/* Returns the members below count (at most 32) as bits 1 << member. */
unsigned number_set_bits(const struct number_set *set, unsigned count);
void number_set_deinit(struct number_set *set);

/* Lookups for the values of options. number_lookup_fd() accepts a decimal number up to INT_MAX. */
int number_lookup_fd(const char *name);
/* A number from 0 to 255, or a signal's name with or without SIG, in any letter case: "INT". */
int number_lookup_signal(const char *name);
/*
 * A number from 1 to 4095, or an error's name in any letter case, including those of errno_name().
 */
int number_lookup_errno(const char *name);

#endif
