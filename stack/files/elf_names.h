/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks up functions and data of an ELF file by name. */
#ifndef TRACER_STACK_FILES_ELF_NAMES_H
#define TRACER_STACK_FILES_ELF_NAMES_H

#include "defs.h"

struct elf_file;

struct elf_name {
	const char *name;
	bool found;
	uint64_t addr, size; /* st_value and st_size of the symbol */
};

/*
 * Looks up n names in the dynamic symbol table. Sets `found`, `addr` and `size` of the names that
 * exist, and returns their number. Skips names that have already been found. Finds nothing in
 * 32-bit files. Uses the table's hash index, so looking up a missing name is cheap.
 */
size_t elf_names_dynamic(struct elf_file *f, struct elf_name *names, size_t n);
/* Does the same as elf_names_dynamic(), but in the symbol table .symtab. Reads the whole table. */
size_t elf_names_static(struct elf_file *f, struct elf_name *names, size_t n);

#endif
