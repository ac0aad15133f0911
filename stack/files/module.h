/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mapping's ELF file and name. The unwinder attaches this data to struct mapping. */
#ifndef TRACER_STACK_FILES_MODULE_H
#define TRACER_STACK_FILES_MODULE_H

#include "defs.h"
#include "stack/files/map_table.h"
#include "util/strbuf.h"

struct arch_mode;
struct elf_file;
struct elf_files;
struct mapper;

struct module {
	struct elf_files *files;
	/* NULL if the mapping has no file, or if the file cannot be read or is not an ELF file. */
	struct elf_file *file;
	const struct arch_mode *mode; /* mode of the code in the file, or NULL if unknown */
	/*
	 * The name to show in frames, or "[anon]" for memory without a name. The string is valid as
	 * long as the mapping.
	 */
	const char *name;
	size_t name_len;       /* length of `name` in bytes */
	struct strbuf escaped; /* holds the name if it contains escape sequences */
};

/*
 * Returns the module of m. The first call creates it; during that call, the thread `who` must be
 * stopped. The mapping owns the module. Never returns NULL.
 */
struct module *module_get(struct elf_files *files, const struct mapper *who, struct mapping *m);
/* Returns the module of m if module_get() has created it, otherwise NULL. m may be NULL. */
static inline struct module *module_of(const struct mapping *m)
{
	return m ? m->data : NULL;
}

#endif
