/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks up the symbol and the source line for a raw frame's pc. The results are cached with the
 * file.
 */
#ifndef TRACER_STACK_NAMES_NAMING_H
#define TRACER_STACK_NAMES_NAMING_H

#include "defs.h"

struct elf_file;
struct inlined;
struct line;
struct strbuf;

/*
 * Returns the line for an address in f (addr of struct raw_frame). f owns the line, which is valid
 * until the next call for f. If exact is true, addr is the next instruction to execute. Otherwise
 * addr is a return address, and the line belongs to the call before addr. If source_lines is
 * true, also looks up the source file, line number and inlined calls. Never returns NULL.
 */
const struct line *naming_line(struct elf_file *f, uint64_t addr, bool exact, bool source_lines);

/*
 * Appends "(SYM+0xOFF) [0xADDR] FILE:LINE (MISSING)\n" to b. `symbol`, `file` and `missing` may be
 * NULL. Then their parts of the text are omitted.
 */
void naming_text(struct strbuf *b, const char *symbol, uint64_t offset, uint64_t addr,
		 const char *file, unsigned line, const char *missing);

/* Appends the text for a call that was inlined at addr: "(SYM) [0xADDR] FILE:LINE\n". The text
 * contains no offset. */
void naming_inlined(struct strbuf *b, const struct inlined *in, uint64_t addr);

#endif
