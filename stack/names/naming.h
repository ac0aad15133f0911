/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From raw frames to names: what a frame of a file is called, found once per pc. */
#ifndef TRACER_STACK_NAMING_H
#define TRACER_STACK_NAMING_H

#include "defs.h"

struct elf_file;
struct line;
struct strbuf;

/*
 * The line of a file's address (as in struct raw_frame). exact: addr is where
 * the thread is; otherwise it is a return address and the call is before it.
 */
const struct line *naming_line(struct elf_file *f, uint64_t addr, bool exact, bool source_lines);

/* "(SYM+0xOFF) [0xADDR] FILE:LINE\n"; symbol and file may be NULL. */
void naming_text(struct strbuf *b, const char *symbol, uint64_t offset, uint64_t addr,
		 const char *file, unsigned line);

#endif
