/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unique texts with numbers. Two runs that are compared share one set. */
#ifndef TRACER_SINKS_DIFF_TEXTS_H
#define TRACER_SINKS_DIFF_TEXTS_H

#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/* Maximum number of bytes; further texts have the number 0. */
#define TEXTS_MAX ((size_t)256 << 20)

/* {0} is empty. */
struct texts {
	struct table by_hash;
	struct strbuf bytes; /* each text ends with a NUL */
	VEC(size_t) at;	     /* at[i] is the offset in `bytes` of the text with the number i + 1 */
};

void texts_deinit(struct texts *t);
/*
 * Returns the number, from 1 on, of a text of n bytes, or fewer if it contains a NUL. Returns 0 if
 * the limit is reached.
 */
uint32_t texts_add(struct texts *t, const char *text, size_t n);
/* Returns the text with that number, "..." for 0. Valid until the next texts_add(). */
const char *texts_get(const struct texts *t, uint32_t number);

#endif
