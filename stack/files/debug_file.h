/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the separate files that contain the symbols and debugging information of stripped files. */
#ifndef TRACER_STACK_FILES_DEBUG_FILE_H
#define TRACER_STACK_FILES_DEBUG_FILE_H

#include "defs.h"

struct elf_file;

/*
 * Opens the debug file of f, which is looked up first by build id, then by .gnu_debuglink with a
 * matching checksum. It is searched in /usr/lib/debug and in f's folder, first in our own root,
 * then in the root of the tracee that has mapped f. With --debuginfod, the cache of the debuginfod
 * client is searched last. Returns NULL if there is no debug file. The caller closes it with
 * elf_file_close().
 */
struct elf_file *debug_file_open(struct elf_file *f);
/*
 * Opens the file into which dwz(1) moved the data that several debug files share. path and its
 * build id `id` are from the section .gnu_debugaltlink of f's debug file. Returns a descriptor,
 * which the caller closes, or -1.
 */
int debug_file_common_fd(struct elf_file *f, const char *path, const char *id);
/*
 * Decompresses the ELF file in f's section .gnu_debugdata. Returns NULL if there is none. The
 * caller closes it with elf_file_close().
 */
struct elf_file *debug_file_open_mini(struct elf_file *f);

#endif
