/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A set of strings: stores each distinct string once and gives it a number. */
#ifndef TRACER_UTIL_TEXTS_H
#define TRACER_UTIL_TEXTS_H

#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/* Maximum total size in bytes. Further strings get the number 0. */
#define TEXTS_MAX ((size_t)256 << 20)

/* The set; initially {0}. */
struct texts {
	struct table by_hash;
	struct strbuf bytes; /* the strings, each NUL-terminated */
	VEC(size_t) at;	     /* at[i] is the offset in `bytes` of string i + 1 */
};

void texts_deinit(struct texts *t);
/*
 * Adds the n bytes at `text`, up to the first NUL. Returns the number of the string, or 0 if the
 * limit is reached. Numbers start from 1.
 */
uint32_t texts_add(struct texts *t, const char *text, size_t n);
/*
 * Returns the string with this number, or "..." for the number 0. Valid until the next texts_add().
 */
const char *texts_get(const struct texts *t, uint32_t number);

#endif
