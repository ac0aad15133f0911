/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text from a trace file, which may contain any byte but NUL. It has its own type so that it cannot
 * be printed by mistake: only the escaping writer of each format (escape_foreign(), json_foreign())
 * and the functions below read its bytes. `make lint` enforces that.
 */
#ifndef TRACER_UTIL_FOREIGN_H
#define TRACER_UTIL_FOREIGN_H

#include <string.h>

#include "util/mem.h"

struct foreign {
	const char *unescaped; /* NULL if there is no text */
};

static inline struct foreign foreign(const char *text)
{
	return (struct foreign){text};
}

/* Whether there is a text, which may be empty. */
static inline bool foreign_given(struct foreign f)
{
	return f.unescaped != NULL;
}

/* Whether both are the same text, or neither is given. */
static inline bool foreign_equal(struct foreign a, struct foreign b)
{
	if (!a.unescaped || !b.unescaped)
		return a.unescaped == b.unescaped;
	return !strcmp(a.unescaped, b.unescaped);
}

static inline bool foreign_is(struct foreign f, const char *text)
{
	return foreign_equal(f, foreign(text));
}

/* Returns byte i of a text with at least i bytes; the final NUL counts. */
static inline unsigned char foreign_byte(struct foreign f, size_t i)
{
	return (unsigned char)f.unescaped[i];
}

/* Replaces *f, which foreign_replace() has set or which is not given, by a copy of `by`. */
static inline void foreign_replace(struct foreign *f, struct foreign by)
{
	mem_free_ptr(&f->unescaped);
	f->unescaped = by.unescaped ? mem_strdup(by.unescaped) : NULL;
}

/* A copy in the arena. */
static inline struct foreign foreign_copy(struct arena *a, struct foreign f)
{
	return foreign(f.unescaped ? arena_strdup(a, f.unescaped) : NULL);
}

#endif
