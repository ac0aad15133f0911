/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Texts that are written once and then referred to by a number. Memory is bounded: a text that was
 * not asked for in a long time is forgotten, and gets a new number if it comes again.
 */
#ifndef TRACER_SINKS_JSON_ONCE_H
#define TRACER_SINKS_JSON_ONCE_H

#include "util/mem.h"
#include "util/table.h"

/* Texts that were asked for in the same while. */
struct once_age {
	struct table by_hash;
	struct arena texts;
};

/* {0} with a limit is empty. */
struct once {
	struct once_age ages[2];
	unsigned young; /* the index of the one that texts are added to */
	uint64_t last;	/* the number that was given last; the first one is 1 */
	size_t limit;	/* bytes of each of the two ages */
};

/* The number of a text of n bytes. *added says whether it is a new one. */
uint64_t once_number(struct once *o, const char *text, size_t n, bool *added);
/* Forgets all texts and frees what they took. */
void once_deinit(struct once *o);

#endif
