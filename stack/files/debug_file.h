/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the separate files with a stripped file's symbols and debugging information. */
#ifndef TRACER_STACK_FILES_DEBUG_FILE_H
#define TRACER_STACK_FILES_DEBUG_FILE_H

#include "defs.h"

struct elf_file;

/*
 * Opens the debug file of f. It is looked up by build id, and then by .gnu_debuglink with a
 * matching checksum. The places are /usr/lib/debug and the folder of f, first in our own root, then
 * in the root of the tracee that has mapped f. With --debuginfod, the cache of that client is the
 * last place. Returns NULL if there is no debug file. The caller closes it with elf_file_close().
 */
struct elf_file *debug_file_open(struct elf_file *f);
/*
 * Opens the file into which dwz(1) moved the data that several debug files share. path and id (its
 * build id) are from section .gnu_debugaltlink of the debug file of f. Returns a descriptor, which
 * the caller closes, or -1.
 */
int debug_file_common_fd(struct elf_file *f, const char *path, const char *id);
/*
 * Decompresses the ELF file in section .gnu_debugdata of f. Returns NULL if there is none. The
 * caller closes it with elf_file_close().
 */
struct elf_file *debug_file_open_mini(struct elf_file *f);

#endif
