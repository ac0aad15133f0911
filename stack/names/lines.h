/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of a pc of a file, found once: name, source line, and the text of both. */
#ifndef TRACER_STACK_LINES_H
#define TRACER_STACK_LINES_H

#include "defs.h"
#include "util/mem.h"

/* A call inlined at a pc; the innermost comes first. */
struct inlined {
	const char *symbol; /* demangled */
	const char *file;   /* where the pc is within it, or NULL */
	unsigned line;
};

struct line {
	uint64_t key;	  /* see line_key() */
	const char *text; /* "(SYM+0xOFF) [0xADDR]\n": what follows the module */
	uint32_t len;
	unsigned ninlined;
	const struct inlined *inlined;
	const char *symbol; /* demangled, or NULL */
	uint64_t offset;    /* of the pc from the symbol */
	const char *file;
	unsigned line;
};

struct line_table {
	struct line *v; /* open addressing; text NULL: empty */
	size_t n, size;
	struct arena strings;
};

/* exact as of a raw frame: it tells which instruction is looked up. */
static inline uint64_t line_key(uint64_t addr, bool exact)
{
	return addr << 1 | exact;
}

/* NULL where it was not added yet. */
const struct line *line_find(const struct line_table *t, uint64_t key);
/* Strings must be of t->strings. The result lives until the table is cleared. */
const struct line *line_add(struct line_table *t, struct line l);
void line_table_deinit(struct line_table *t);

#endif
