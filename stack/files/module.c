/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/module.h"

#include <stdlib.h>
#include <string.h>

#include "linux/arch/arch.h"
#include "stack/files/elf_file.h"
#include "util/escape.h"
#include "util/mem.h"

static void module_release(void *data)
{
	struct module *mod = data;

	elf_files_release(mod->files, mod->file);
	strbuf_deinit(&mod->escaped);
	free(mod);
}

struct module *module_get(struct elf_files *files, const struct mapper *who, struct mapping *m)
{
	struct module *mod = m->data;

	if (likely(mod))
		return mod;
	mod = mem_zalloc(sizeof(*mod));
	mod->files = files;
	mod->file = elf_files_open(files, who, m);
	if (mod->file)
		mod->mode = arch_mode_of_elf(mod->file->machine);
	mod->name = m->name ? m->name : "[anon]";
	mod->name_len = strlen(mod->name);
	escape_name(&mod->escaped, mod->name, mod->name_len);
	if (mod->escaped.len != mod->name_len) {
		mod->name_len = mod->escaped.len;
		mod->name = strbuf_str(&mod->escaped);
	} else {
		strbuf_deinit(&mod->escaped);
	}
	m->data = mod;
	m->data_release = module_release;
	return mod;
}
