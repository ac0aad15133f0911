/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A cache of the symbols, source lines and output text for the addresses in one file. */
#ifndef TRACER_STACK_NAMES_LINES_H
#define TRACER_STACK_NAMES_LINES_H

#include "defs.h"
#include "stack/stack.h"
#include "util/mem.h"
#include "util/strbuf.h"

struct line {
	uint64_t key;	  /* the result of line_key() */
	const char *text; /* the result of naming_text(), which text output shows after the module
			     name */
	uint32_t len;
	unsigned ninlined;
	const struct inlined *inlined;
	const char *symbol; /* demangled name, or NULL */
	uint64_t offset;  /* distance of the pc from the start of the symbol, as in struct frame */
	const char *file; /* source file, or NULL */
	unsigned line;	  /* line in file */
	/* The reason why the source line or the demangled name is missing, or NULL. */
	const char *missing;
	bool again; /* true if parts of the line are missing, and a later look-up may find them */
};

/* A hash table with open addressing. Initially {0}. */
struct line_table {
	struct line *v; /* array of slots; the text of a free slot is NULL */
	/* The number of used slots, and the number of all slots (0 or a power of two). */
	size_t n, size;
	struct arena strings;
	/* Storage for a line that is not cached because the memory budget is used up. */
	struct line spare;
	struct strbuf spare_text;
};

/*
 * Returns the key for an ELF address. `exact` is FRAME_EXACT of a raw frame. If `exact` is false,
 * addr is a return address, and the key belongs to the line of the call instruction before addr.
 */
static inline uint64_t line_key(uint64_t addr, bool exact)
{
	return addr << 1 | exact;
}

/* Returns the line with the given key, or NULL. The line is valid until the next line_add(). */
const struct line *line_find(const struct line_table *t, uint64_t key);
/*
 * Adds a line, or replaces the line with the same key. The strings of l must be allocated from
 * t->strings. Returns the table's copy of the line, which is valid until the next line_add().
 */
const struct line *line_add(struct line_table *t, struct line l);
/* Frees the table and its strings. */
void line_table_deinit(struct line_table *t);

#endif
