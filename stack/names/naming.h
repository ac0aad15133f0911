/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of raw frames: symbol and source line of a pc, looked up once and then cached with the
 * file. */
#ifndef TRACER_STACK_NAMES_NAMING_H
#define TRACER_STACK_NAMES_NAMING_H

#include "defs.h"

struct elf_file;
struct inlined;
struct line;
struct strbuf;

/*
 * The line of an address in f (addr of struct raw_frame), owned by f. exact: the thread is at addr;
 * otherwise addr is a return address, and the call before it is named. source_lines: look up
 * source file, line and inlined calls as well. Never NULL.
 */
const struct line *naming_line(struct elf_file *f, uint64_t addr, bool exact, bool source_lines);

/*
 * Appends "(SYM+0xOFF) [0xADDR] FILE:LINE (MISSING)\n" to b; symbol, file and missing may be NULL
 * and are left out then.
 */
void naming_text(struct strbuf *b, const char *symbol, uint64_t offset, uint64_t addr,
		 const char *file, unsigned line, const char *missing);

/* The same for a call inlined at addr, which has no offset: "(SYM) [0xADDR] FILE:LINE\n". */
void naming_inlined(struct strbuf *b, const struct inlined *in, uint64_t addr);

#endif
