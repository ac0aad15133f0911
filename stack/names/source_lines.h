/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source files, lines and inlined calls of an address, from DWARF by libdw. */
#ifndef TRACER_STACK_SOURCE_LINES_H
#define TRACER_STACK_SOURCE_LINES_H

#include "defs.h"

struct arena;
struct elf_file;
struct line;

/*
 * Fills in l's file, line and inlined calls for addr (the instruction looked
 * up), all of them allocated from strings. Leaves it as it is where nothing is known.
 */
void source_lines_find(struct elf_file *f, uint64_t addr, struct line *l, struct arena *strings);

#endif
