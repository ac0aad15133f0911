/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The unwinder's data about a mapping, which is attached to struct mapping: its ELF file and its
 * name.
 */
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
	/* NULL if there is none, if it is not an ELF file or if it cannot be read. */
	struct elf_file *file;
	const struct arch_mode *mode; /* mode of the file's code; NULL if unknown */
	/*
	 * The name in frames, "[anon]" for memory without a name. It lives as long as the mapping.
	 */
	const char *name;
	size_t name_len;       /* in bytes */
	struct strbuf escaped; /* holds the name if it had to be escaped */
};

/*
 * Returns the module of m, which the first call creates. During the first call, the thread `who`
 * must be stopped. The module is owned by the mapping; never NULL.
 */
struct module *module_get(struct elf_files *files, const struct mapper *who, struct mapping *m);
/* Returns the module of m if module_get() has created it, otherwise NULL. m may be NULL. */
static inline struct module *module_of(const struct mapping *m)
{
	return m ? m->data : NULL;
}

#endif
