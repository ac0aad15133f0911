/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the unwinder knows of a mapping: its ELF file and its name. Lives in mapping->data. */
#ifndef TRACER_STACK_MODULE_H
#define TRACER_STACK_MODULE_H

#include "defs.h"
#include "stack/files/map_table.h"
#include "util/strbuf.h"

struct arch_mode;
struct elf_file;
struct elf_files;
struct mapper;

struct module {
	struct elf_files *files;
	struct elf_file *file;	     /* NULL: none, not ELF, or not to be had */
	const struct arch_mode *abi; /* of the file's code; NULL where unknown */
	/* As shown: "[anon]" for memory without one. Lives as long as the mapping. */
	const char *name;
	size_t name_len;
	struct strbuf escaped; /* the name, where the file's has to be escaped */
};

/* Made when first asked for, while who can still be looked at. Never NULL. */
struct module *module_get(struct elf_files *files, const struct mapper *who, struct mapping *m);
/* The one made before, or NULL. */
static inline struct module *module_of(const struct mapping *m)
{
	return m ? m->data : NULL;
}

#endif
