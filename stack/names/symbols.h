/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the symbols for addresses in a file.
 *
 * A symbol names only the addresses within its size. A symbol without a size, which is common in
 * hand-written assembly, names the addresses of the FDE that begins at its address. Of nested
 * symbols, the one with the highest start address is used. Of symbols with the same start address,
 * the first one in the order of the tables is used: .symtab of the separate debug file (found by
 * build id or .gnu_debuglink), .dynsym and .symtab of the file itself, and the table in
 * .gnu_debugdata. A table lists local symbols first, so libc's internal aliases (__GI___read) take
 * precedence over the public names.
 */
#ifndef TRACER_STACK_NAMES_SYMBOLS_H
#define TRACER_STACK_NAMES_SYMBOLS_H

#include "defs.h"
#include "util/strbuf.h"

struct elf_file;

/*
 * Finds the symbol at addr, an ELF address of f. Stores its mangled name in `name` and its address
 * in *start. Returns 0 on success, -ENOENT if there is no symbol, or -EAGAIN if the time budget
 * does not allow reading the file's symbols now.
 */
int symbols_find(struct elf_file *f, uint64_t addr, struct strbuf *name, uint64_t *start);

/*
 * Returns whether the file was stripped and its symbols are not installed. Only its dynamic symbols
 * have names then. symbols_find() must have been called for the file.
 */
bool symbols_are_missing(struct elf_file *f);

#endif
