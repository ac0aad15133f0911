/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache for each file: what is known about a pc, which is its symbol, its source line and the
 * text that shows both.
 */
#ifndef TRACER_STACK_NAMES_LINES_H
#define TRACER_STACK_NAMES_LINES_H

#include "defs.h"
#include "stack/stack.h"
#include "util/mem.h"
#include "util/strbuf.h"

struct line {
	uint64_t key;	  /* see line_key() */
	const char *text; /* "(SYM+0xOFF) [0xADDR]\n", which follows the module in text output */
	uint32_t len;	  /* of text, in bytes */
	unsigned ninlined;
	const struct inlined *inlined;
	const char *symbol; /* demangled, or NULL */
	uint64_t offset;    /* distance of the pc from the start of the symbol, in bytes */
	const char *file;   /* source file, or NULL */
	unsigned line;	    /* in file */
	/* Why the file and line, or the demangled name, are missing, as text; NULL: they are not.
	 */
	const char *missing;
	bool again; /* they may be there if they are asked for again */
};

/* A hash table with open addressing. {0} is empty. */
struct line_table {
	struct line *v; /* a slot is free if its text is NULL */
	size_t n, size; /* used slots; all slots, a power of two or 0 */
	struct arena strings;
	/* The last line that the budget had no room for. */
	struct line spare;
	struct strbuf spare_text;
};

/*
 * The key of an ELF address. exact is FRAME_EXACT of a raw frame: without it addr is a return
 * address, and the call before it is looked up.
 */
static inline uint64_t line_key(uint64_t addr, bool exact)
{
	return addr << 1 | exact;
}

/* The line with that key, or NULL. Valid until the next line_add(). */
const struct line *line_find(const struct line_table *t, uint64_t key);
/*
 * Adds a line, or replaces that with the same key, whose strings must be allocated from t->strings.
 * Returns the table's copy of it, valid until the next line_add().
 */
const struct line *line_add(struct line_table *t, struct line l);
/* Frees the table and its strings. */
void line_table_deinit(struct line_table *t);

#endif
