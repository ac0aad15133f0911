/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for addresses of a file.
 *
 * A symbol names the addresses within its size and no others. A symbol without
 * a size, as hand-written assembly has them, names the FDE that begins at it.
 * Of symbols that nest, the one that begins last is taken; of symbols that
 * begin together, the first in the order of the tables: .symtab of the separate
 * debug file (found by build id, else by .gnu_debuglink), then of the file
 * itself .dynsym, .symtab, and .gnu_debugdata's. Tables list local symbols
 * first, so that libc's own aliases (__GI___read) come before the public ones.
 */
#ifndef TRACER_STACK_NAMES_SYMBOLS_H
#define TRACER_STACK_NAMES_SYMBOLS_H

#include "defs.h"
#include "util/strbuf.h"

struct elf_file;

/*
 * Finds the symbol at addr, an ELF address of f. Replaces the content of name by its name, not
 * demangled, and sets *start to its address. Returns 0, -ENOENT if there is none, or -EAGAIN if the
 * file's symbols may not be read now: its budget is used up.
 */
int symbols_find(struct elf_file *f, uint64_t addr, struct strbuf *name, uint64_t *start);

#endif
