/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Assigns numbers to strings that are written once and then referred to by number. To limit memory,
 * strings that have not been used for a long time are dropped. They get new numbers when they are
 * used again.
 */
#ifndef TRACER_SINKS_JSON_ONCE_H
#define TRACER_SINKS_JSON_ONCE_H

#include "util/mem.h"
#include "util/table.h"

struct once_age {
	struct table by_hash;
	struct arena texts;
};

/* A set of strings. It is empty if all members except `limit` are 0. */
struct once {
	struct once_age ages[2];
	unsigned young; /* index of the generation to which new strings are added */
	uint64_t last;	/* the last assigned number; numbers start from 1 */
	size_t limit;	/* maximum size of each of the two generations in bytes */
};

/*
 * Returns the number of an n-byte string. Sets *added to true if the string is new, otherwise to
 * false.
 */
uint64_t once_number(struct once *o, const char *text, size_t n, bool *added);
void once_deinit(struct once *o);

#endif
