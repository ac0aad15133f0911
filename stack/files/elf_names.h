/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks up symbols of an ELF file by name. Finds functions and data. */
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
 * Looks up n names in the dynamic symbol table. Uses its hash table, so missing names cost little.
 * Returns the number of names that were found.
 */
size_t elf_names_dynamic(struct elf_file *f, struct elf_name *names, size_t n);
/*
 * Looks up the names that have not been found yet in .symtab, which is read completely. Returns the
 * number of names that were found.
 */
size_t elf_names_static(struct elf_file *f, struct elf_name *names, size_t n);

#endif
