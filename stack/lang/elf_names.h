/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Symbols of an ELF file by name, functions and data alike. */
#ifndef TRACER_STACK_LANG_ELF_NAMES_H
#define TRACER_STACK_LANG_ELF_NAMES_H

#include "defs.h"

struct elf_file;

struct elf_name {
	const char *name;
	bool found;
	uint64_t addr, size; /* as in the symbol table */
};

/*
 * Looks up n names in the table of dynamic symbols by its hash table, which is cheap for names that
 * are not there. Returns how many were found.
 */
size_t elf_names_dynamic(struct elf_file *f, struct elf_name *names, size_t n);
/* The same in .symtab, which is read from its beginning to its end, for those not found so far. */
size_t elf_names_static(struct elf_file *f, struct elf_name *names, size_t n);

#endif
