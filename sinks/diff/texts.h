/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts that are kept once and have a number. Two runs that are compared share one set of them. */
#ifndef TRACER_SINKS_DIFF_TEXTS_H
#define TRACER_SINKS_DIFF_TEXTS_H

#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/* So many bytes are kept at most; later texts have the number 0. */
#define TEXTS_MAX ((size_t)256 << 20)

/* {0} is empty. */
struct texts {
	struct table by_hash;
	struct strbuf bytes; /* each text ends with a NUL */
	VEC(size_t) at;	     /* where each text is in bytes; the first is that of number 1 */
};

void texts_deinit(struct texts *t);
/* The number of a text of n bytes, from 1 on; a NUL in it ends it. 0: there is no room for it. */
uint32_t texts_add(struct texts *t, const char *text, size_t n);
/* The text with that number, "..." for 0. Valid until the next texts_add(). */
const char *texts_get(const struct texts *t, uint32_t number);

#endif
