/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The separate files that hold a stripped file's symbols and debugging information. */
#ifndef TRACER_STACK_DEBUG_FILE_H
#define TRACER_STACK_DEBUG_FILE_H

#include "defs.h"

struct elf_file;

/*
 * The debug file of f: by build id, else by .gnu_debuglink with a matching
 * checksum, under /usr/lib/debug and beside the file; in our own root, then in
 * that of the tracee that had f mapped; with --debuginfod from its cache. NULL where there is none.
 * The caller's.
 */
struct elf_file *debug_file_open(struct elf_file *f);
/* A descriptor of it, the caller's: for readers of DWARF. -1 where there is none. */
int debug_file_fd(struct elf_file *f);
/*
 * The same of what dwz(1) moved from it into a file shared by several: its path and its build id
 * are those that the debug file names.
 */
int debug_file_common_fd(struct elf_file *f, const char *path, const char *id);
/* The file within .gnu_debugdata, decompressed. The caller's, or NULL. */
struct elf_file *debug_file_open_mini(struct elf_file *f);

#endif
