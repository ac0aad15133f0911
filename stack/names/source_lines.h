/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks up source files, lines and inlined calls in DWARF data, which the namer parses. */
#ifndef TRACER_STACK_NAMES_SOURCE_LINES_H
#define TRACER_STACK_NAMES_SOURCE_LINES_H

#include "stack/namer/namer.h"

struct arena;
struct elf_file;
struct line;

/*
 * Fills in the file, line and inlined calls of l for the instruction at addr, an ELF address of f.
 * Allocates all strings from `strings`. If the result is not NAMER_OK, l is unchanged.
 */
enum namer_status source_lines_find(struct elf_file *f, uint64_t addr, struct line *l,
				    struct arena *strings);

#endif
