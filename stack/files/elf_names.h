/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks up symbols of an ELF file by name, both functions and data. */
#ifndef TRACER_STACK_FILES_ELF_NAMES_H
#define TRACER_STACK_FILES_ELF_NAMES_H

#include "defs.h"

struct elf_file;

struct elf_name {
	const char *name;
	bool found;
	uint64_t addr, size; /* as in the symbol table */
};

/*
 * Looks up n names in the table of dynamic symbols. This uses the table's hash table, so missing
 * names cost little. Returns the number of names that were found.
 */
size_t elf_names_dynamic(struct elf_file *f, struct elf_name *names, size_t n);
/*
 * Looks up the names that were not found yet in .symtab, which is read completely. Returns the
 * number of names that were found.
 */
size_t elf_names_static(struct elf_file *f, struct elf_name *names, size_t n);

#endif
