/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text from a trace file, which may contain any byte except NUL. The separate type prevents
 * printing the text unescaped by mistake. Its bytes are read only by the functions below, by the
 * functions that escape text for a format, such as escape_foreign() and json_foreign(), and by the
 * code that reads and writes traces. `make lint` enforces this rule.
 */
#ifndef TRACER_UTIL_FOREIGN_H
#define TRACER_UTIL_FOREIGN_H

#include <string.h>

#include "util/mem.h"

struct foreign {
	const char *unescaped; /* the bytes; NULL if the text is unset */
};

static inline struct foreign foreign(const char *text)
{
	return (struct foreign){text};
}

/* Returns true if the text is set. It may be empty. */
static inline bool foreign_given(struct foreign f)
{
	return f.unescaped != NULL;
}

/* Returns true if both texts are equal, or if both are unset. */
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

/*
 * Returns byte `i` of foreign text. `i` must be at most the length of the text. The final byte is
 * NUL.
 */
static inline unsigned char foreign_byte(struct foreign f, size_t i)
{
	return (unsigned char)f.unescaped[i];
}

/* Replaces *f with a copy of `by`. *f must be empty or have been set by foreign_replace(). */
static inline void foreign_replace(struct foreign *f, struct foreign by)
{
	mem_free_ptr(&f->unescaped);
	f->unescaped = by.unescaped ? mem_strdup(by.unescaped) : NULL;
}

/* Returns a copy that is allocated in the arena. */
static inline struct foreign foreign_copy(struct arena *a, struct foreign f)
{
	return foreign(f.unescaped ? arena_strdup(a, f.unescaped) : NULL);
}

#endif
