/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The separate files that hold a stripped file's symbols and debugging information. */
#ifndef TRACER_STACK_FILES_DEBUG_FILE_H
#define TRACER_STACK_FILES_DEBUG_FILE_H

#include "defs.h"

struct elf_file;

/*
 * Opens the debug file of f. It is looked up by build id, or else by .gnu_debuglink with a matching
 * checksum, under /usr/lib/debug and beside the file: in our own root, then in the root of the
 * tracee that has f mapped, then, with --debuginfod, in that client's cache. Returns NULL if there
 * is none. The caller closes it by elf_file_close().
 */
struct elf_file *debug_file_open(struct elf_file *f);
/*
 * Opens the file into which dwz(1) moved parts that several debug files share. path and id (its
 * build id) are those that the debug file of f names in .gnu_debugaltlink. Returns a descriptor,
 * which the caller closes, or -1.
 */
int debug_file_common_fd(struct elf_file *f, const char *path, const char *id);
/*
 * Decompresses the ELF file that section .gnu_debugdata of f contains. Returns NULL if there is
 * none. The caller closes it by elf_file_close().
 */
struct elf_file *debug_file_open_mini(struct elf_file *f);

#endif
