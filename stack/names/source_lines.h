/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source files, lines and inlined calls of an address, from DWARF data. The namer parses the data.
 */
#ifndef TRACER_STACK_NAMES_SOURCE_LINES_H
#define TRACER_STACK_NAMES_SOURCE_LINES_H

#include "stack/namer/namer.h"

struct arena;
struct elf_file;
struct line;

/*
 * Fills in file, line and the inlined calls of l for the instruction at addr, an ELF address of f.
 * All strings are allocated from strings. If the status is not NAMER_OK, l is unchanged.
 */
enum namer_status source_lines_find(struct elf_file *f, uint64_t addr, struct line *l,
				    struct arena *strings);

#endif
