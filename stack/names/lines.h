/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A cache of the symbols, source lines and text for pcs. Each file has one. */
#ifndef TRACER_STACK_NAMES_LINES_H
#define TRACER_STACK_NAMES_LINES_H

#include "defs.h"
#include "stack/stack.h"
#include "util/mem.h"
#include "util/strbuf.h"

struct line {
	uint64_t key;	  /* see line_key() */
	const char *text; /* "(SYM+0xOFF) [0xADDR]\n", which follows the module in text output */
	uint32_t len;	  /* length of text, in bytes */
	unsigned ninlined;
	const struct inlined *inlined;
	const char *symbol; /* demangled, or NULL */
	uint64_t offset;    /* distance of the pc from the start of the symbol, in bytes */
	const char *file;   /* source file, or NULL */
	unsigned line;	    /* line in file */
	/* The reason why the source line or the demangled name is missing, or NULL. */
	const char *missing;
	bool again; /* the missing parts may be available at the next request */
};

/* A hash table with open addressing. {0} is an empty table. */
struct line_table {
	struct line *v; /* a slot is free if its text is NULL */
	/* Number of used slots; number of all slots, which is a power of two or 0. */
	size_t n, size;
	struct arena strings;
	/* Storage for the last line that did not fit into the budget. */
	struct line spare;
	struct strbuf spare_text;
};

/*
 * The key of an ELF address. exact is FRAME_EXACT of a raw frame. If exact is not set, addr is a
 * return address, and the line is that of the call before it.
 */
static inline uint64_t line_key(uint64_t addr, bool exact)
{
	return addr << 1 | exact;
}

/* Returns the line with that key, or NULL. It is valid until the next line_add(). */
const struct line *line_find(const struct line_table *t, uint64_t key);
/*
 * Adds a line, or replaces the line with the same key. The strings of l must be allocated from
 * t->strings. Returns the table's copy of the line, valid until the next line_add().
 */
const struct line *line_add(struct line_table *t, struct line l);
/* Frees the table and its strings. */
void line_table_deinit(struct line_table *t);

#endif
