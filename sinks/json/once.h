/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Texts that are written once and then referred to by number. Memory is bounded: a text that has
 * not been used for a long time is dropped and gets a new number at its next use.
 */
#ifndef TRACER_SINKS_JSON_ONCE_H
#define TRACER_SINKS_JSON_ONCE_H

#include "util/mem.h"
#include "util/table.h"

/* A generation of texts. */
struct once_age {
	struct table by_hash;
	struct arena texts;
};

/* A set of texts. It is empty if all members except limit are 0. */
struct once {
	struct once_age ages[2];
	unsigned young; /* index of the generation to which texts are added */
	uint64_t last;	/* last assigned number; the first one is 1 */
	size_t limit;	/* maximum bytes of each of the two generations */
};

/* Returns the number of a text of n bytes. Sets *added to whether it is new. */
uint64_t once_number(struct once *o, const char *text, size_t n, bool *added);
/* Drops all texts and frees their memory. */
void once_deinit(struct once *o);

#endif
