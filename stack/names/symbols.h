/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the symbols for addresses in a file.
 *
 * A symbol names only the addresses within its size. Symbols without a size are common in
 * hand-written assembly. Such a symbol names the addresses of the function that, according to the
 * unwind information, begins at the symbol's address. If symbols are nested, the symbol with the
 * highest start address is used. If symbols have the same start address, the first one is used, in
 * the order of these tables: .symtab of the separate debug file (found by build id or
 * .gnu_debuglink), .dynsym and .symtab of the file itself, and the table in .gnu_debugdata. Tables
 * list local symbols first, so libc's internal aliases (__GI___read) take precedence over the
 * public names.
 */
#ifndef TRACER_STACK_NAMES_SYMBOLS_H
#define TRACER_STACK_NAMES_SYMBOLS_H

#include "defs.h"
#include "util/strbuf.h"

struct elf_file;

/*
 * Finds the symbol that covers addr, an ELF address of f. Stores its mangled name in `name` and its
 * address in *start. Returns 0 on success, -ENOENT if there is no such symbol, or -EAGAIN if the
 * time budget does not allow reading the file's symbols at the moment.
 */
int symbols_find(struct elf_file *f, uint64_t addr, struct strbuf *name, uint64_t *start);

/*
 * Returns true if the file was stripped and its symbols are not installed. In this case, only the
 * functions in its dynamic symbol table have names. symbols_find() must have been called for the
 * file.
 */
bool symbols_are_missing(struct elf_file *f);

#endif
