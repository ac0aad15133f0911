/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/walk/verify.h"

#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "mmap_cache.h"
#include "stack/walk/cfi.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/walk/snapshot.h"
#include "util/mem.h"

struct reference {
	struct elf_files *files;
	unw_addr_space_t as;
	struct snapshot memory;
	struct mm_task *mm;
	struct mapper who;
	uint64_t regs[ARCH_COLUMNS_MAX];
	bool blind; /* libunwind found no unwind information, so from here on it guesses */
};

#ifdef HAVE_DWARF_SEARCH_UNWIND_TABLE
/* libunwind exports this function but declares it in none of its headers. */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
int search_unwind_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di, unw_proc_info_t *pi,
			int need_unwind_info, void *arg);

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need,
			  void *arg)
{
	struct reference *r = arg;
	struct mapping *m = mmap_cache_find(r->mm, ip);
	int err;
	struct module *mod = m ? module_get(r->files, &r->who, m) : NULL;
	unw_dyn_info_t di;
	uint64_t addr, table, n;

	/* libunwind calls abort() if .eh_frame_hdr has a table of another form. */
	if (!mod || !mod->file || !elf_file_address(mod->file, m, ip, &addr) ||
	    !cfi_search_table(mod->file, &table, &n)) {
		r->blind = true;
		return -UNW_ENOINFO;
	}
	memset(&di, 0, sizeof(di));
	di.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	di.start_ip = m->start;
	di.end_ip = m->end;
	di.u.rti.segbase = mod->file->eh_frame_hdr + (ip - addr);
	di.u.rti.table_data = table + (ip - addr);
	di.u.rti.table_len = n * 8 / sizeof(unw_word_t);
	err = search_unwind_table(as, ip, &di, pi, need, arg);
	r->blind |= err < 0;
	return err;
}
#else
static int find_proc_info(unw_addr_space_t as attr_unused, unw_word_t ip attr_unused,
			  unw_proc_info_t *pi attr_unused, int need attr_unused, void *arg)
{
	((struct reference *)arg)->blind = true;
	return -UNW_ENOINFO;
}
#endif

static void put_unwind_info(unw_addr_space_t as attr_unused, unw_proc_info_t *pi attr_unused,
			    void *arg attr_unused)
{
}

static int no_dyn_info(unw_addr_space_t as attr_unused, unw_word_t *addr attr_unused,
		       void *arg attr_unused)
{
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as attr_unused, unw_word_t addr, unw_word_t *value,
		      int write, void *arg)
{
	struct reference *r = arg;

	if (write || !snapshot_read(&r->memory, addr, value, sizeof(*value)))
		return -UNW_EINVAL;
	return 0;
}

static int access_reg(unw_addr_space_t as attr_unused, unw_regnum_t reg, unw_word_t *value,
		      int write, void *arg)
{
	struct reference *r = arg;

	/* libunwind numbers these registers as DWARF does, which has no number for the pc
	 * everywhere. */
	if (reg == UNW_REG_IP)
		reg = arch_native->modes->pc;
	if (write || reg < 0 || reg >= ARCH_COLUMNS_MAX)
		return -UNW_EBADREG;
	*value = r->regs[reg];
	return 0;
}

static int no_fpreg(unw_addr_space_t as attr_unused, unw_regnum_t reg attr_unused,
		    unw_fpreg_t *value attr_unused, int write attr_unused, void *arg attr_unused)
{
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t as attr_unused, unw_cursor_t *c attr_unused,
		     void *arg attr_unused)
{
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t as attr_unused, unw_word_t ip attr_unused,
		   char *buf attr_unused, size_t n attr_unused, unw_word_t *off attr_unused,
		   void *arg attr_unused)
{
	return -UNW_ENOINFO;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = no_dyn_info,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = no_fpreg,
	.resume = no_resume,
	.get_proc_name = no_name,
};

struct reference *reference_create(struct elf_files *files)
{
	struct reference *r = mem_zalloc(sizeof(*r));

	r->files = files;
	r->as = unw_create_addr_space(&accessors, 0);
	if (r->as)
		unw_set_caching_policy(r->as, UNW_CACHE_NONE);
	return r;
}

void reference_destroy(struct reference *r)
{
	if (!r)
		return;
	if (r->as)
		unw_destroy_addr_space(r->as);
	snapshot_deinit(&r->memory);
	free(r);
}

size_t reference_walk(struct reference *r, struct mm_task *mm, const struct mapper *who,
		      const uint64_t *regs, bool exact, uint64_t *pcs, size_t max, int *ended)
{
	unw_cursor_t c;
	size_t n = 0;
	int err;

	*ended = -UNW_EUNSPEC;
	r->mm = mm;
	r->who = *who;
	r->blind = false;
	memcpy(r->regs, regs, sizeof(r->regs));
	/*
	 * libunwind looks up the innermost pc itself. A pc after a system call may belong to
	 * the next function.
	 */
	r->regs[arch_native->modes->pc] -= !exact;
	if (!r->as)
		return 0;
	snapshot_begin(&r->memory, who->memory, regs[arch_native->modes->sp], 0);
	err = unw_init_remote(&c, r->as, r);
	while (!err && n < max) {
		unw_word_t ip;

		if (unw_get_reg(&c, UNW_REG_IP, &ip) < 0)
			break;
		pcs[n] = ip + (!n && !exact);
		n++;
		err = unw_step(&c);
		if (err <= 0 || r->blind) {
			*ended = r->blind ? -UNW_ENOINFO : err;
			break;
		}
		err = 0;
	}
	return n;
}
