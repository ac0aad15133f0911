/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds debug files. A debug file contains the symbols and debugging information of a stripped
 * file.
 */
#ifndef TRACER_STACK_FILES_DEBUG_FILE_H
#define TRACER_STACK_FILES_DEBUG_FILE_H

#include "defs.h"

struct elf_file;

/*
 * Opens the debug file of f. Looks for the file first by build id, then by the name in
 * .gnu_debuglink. A file with this name must have the right build id or, if either file has none,
 * the right checksum. Searches /usr/lib/debug and the folder that contains f, first in our own
 * root, then in the root of the tracee that has mapped f. Finally, with --debuginfod and if f has
 * no .symtab, searches the cache of the debuginfod client. Returns NULL if there is no debug file.
 * The caller closes the file with elf_file_close().
 */
struct elf_file *debug_file_open(struct elf_file *f);
/*
 * Opens the file to which dwz(1) has moved the data that several debug files share. The file's path
 * and build id `id` come from the section .gnu_debugaltlink of f's debug file. Returns a
 * descriptor, which the caller closes, or -1.
 */
int debug_file_common_fd(struct elf_file *f, const char *path, const char *id);
/*
 * Opens the compressed ELF file in f's section .gnu_debugdata. Returns NULL if there is none or if
 * it cannot be read. The caller closes the file with elf_file_close().
 */
struct elf_file *debug_file_open_mini(struct elf_file *f);

#endif
