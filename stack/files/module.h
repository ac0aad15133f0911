/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the unwinder knows about a mapping: its ELF file and its name. The data of struct mapping.
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
	struct elf_file *file;	      /* NULL: there is none, it is no ELF file or cannot be read */
	const struct arch_mode *mode; /* of the file's code; NULL if unknown */
	/* The name that frames show, "[anon]" for memory without one; lives as long as the mapping.
	 */
	const char *name;
	size_t name_len;       /* in bytes */
	struct strbuf escaped; /* holds the name, if the file's name had to be escaped */
};

/*
 * The module of m. It is made by the first call, for which the thread who must be stopped. Owned by
 * the mapping; never NULL.
 */
struct module *module_get(struct elf_files *files, const struct mapper *who, struct mapping *m);
/* The module of m if module_get() has made one, else NULL. m may be NULL. */
static inline struct module *module_of(const struct mapping *m)
{
	return m ? m->data : NULL;
}

#endif
