/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/verify.h"

#include <stdlib.h>
#include <string.h>

#include "capture/memory.h"
#include "mmap_cache.h"
#include "stack/walk/cfi.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/walk/rules.h"
#include "stack/walk/snapshot.h"
#include "stack/walk/unwind_space.h"
#include "stack/walk/walk_state.h"
#include "util/mem.h"

struct reference {
	struct elf_files *files;
	struct unwind_space space;
	struct snapshot memory;
	struct memory_batch batch; /* for snapshot_begin() */
	struct walk *w;		   /* the walk to compare with */
	uint64_t regs[ARCH_COLUMNS_MAX];
	size_t n; /* number of frames that libunwind has found so far */
	/* true if libunwind found no valid unwind information and guesses all further frames */
	bool blind;
};

static bool rules_alike(struct rule a, struct rule b)
{
	return a.kind == b.kind && a.kind != RULE_SLOW && a.cfa_off == b.cfa_off &&
	       a.bp_at == b.bp_at && a.ra_at == b.ra_at;
}

/*
 * Returns true if libunwind's result is wrong because it looks up the byte before the pc in every
 * frame, as on riscv64. In a frame that a signal has interrupted, the pc is not a return address,
 * and other CFI may apply to the byte before the pc.
 */
static bool looks_up_byte_before(const struct reference *r, struct elf_file *f, uint64_t ip,
				 uint64_t addr)
{
	const struct arch_mode *mode = r->w->mode;
	const struct raw_frame *frame;

	if (r->n < 2 || r->n > r->w->frames.n)
		return false;
	frame = &r->w->frames.v[r->n - 1];
	return frame->flags & FRAME_EXACT && ip == frame->pc - 1 &&
	       !rules_alike(rule_get(f, mode, addr), rule_get(f, mode, addr + 1));
}

static int find_proc_info(unw_addr_space_t as attr_unused, unw_word_t ip, unw_proc_info_t *pi,
			  int need, void *arg)
{
	struct reference *r = arg;
	struct mapping *m = map_view_find(&r->w->view, ip);
	struct module *mod = m ? module_get(r->files, &r->w->who, m) : NULL;
	struct unwind_table table;
	uint64_t addr, entries, n;
	int err;

	/*
	 * libunwind calls abort() if the table in .eh_frame_hdr is not in the format that
	 * cfi_search_table() accepts.
	 */
	if (!mod || !mod->file || !elf_file_address(mod->file, m, ip, &addr) ||
	    !cfi_search_table(mod->file, &entries, &n) ||
	    row_get(mod->file, r->w->mode, addr)->corrected ||
	    looks_up_byte_before(r, mod->file, ip, addr)) {
		r->blind = true;
		return -UNW_ENOINFO;
	}
	table = (struct unwind_table){.start = m->start,
				      .end = m->end,
				      .base = mod->file->eh_frame_hdr + (ip - addr),
				      .entries = entries + (ip - addr),
				      .count = n};
	err = unwind_space_search(&r->space, ip, &table, pi, need, arg);
	r->blind |= err < 0;
	return err;
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

	reg = unwind_column(arch_native->modes, reg);
	if (write || reg < 0 || reg >= ARCH_COLUMNS_MAX)
		return -UNW_EBADREG;
	*value = r->regs[reg];
	return 0;
}

static unw_word_t signature_bits(unw_addr_space_t as attr_unused, void *arg)
{
	const struct reference *r = arg;

	return ~r->w->ra_mask;
}

static const struct unwind_accessors accessors = {.find_proc_info = find_proc_info,
						  .access_mem = access_mem,
						  .access_reg = access_reg,
						  .ptrauth_insn_mask = signature_bits};

struct reference *reference_create(struct elf_files *files)
{
	struct reference *r = mem_zalloc(sizeof(*r));

	r->files = files;
	unwind_space_init(&r->space, &accessors);
	return r;
}

void reference_destroy(struct reference *r)
{
	if (!r)
		return;
	unwind_space_deinit(&r->space);
	snapshot_deinit(&r->memory);
	vec_deinit(&r->batch.ops);
	free(r);
}

size_t reference_walk(struct reference *r, struct walk *w, const uint64_t *regs, bool exact,
		      uint64_t *pcs, size_t max, int *ended)
{
	unw_cursor_t c;
	uint64_t pc;
	int err;

	*ended = -UNW_EUNSPEC;
	r->w = w;
	r->n = 0;
	r->blind = false;
	memcpy(r->regs, regs, sizeof(r->regs));
	/*
	 * libunwind looks up the innermost pc as it is, but the pc after a system call may belong
	 * to the next function. Therefore subtract 1 unless the pc is exact.
	 */
	r->regs[arch_native->modes->pc] -= !exact;
	if (!r->space.as)
		return 0;
	snapshot_begin(&r->memory, w->who.memory, regs[arch_native->modes->sp], NULL, &r->batch);
	err = r->space.lib.unw_init_remote(&c, r->space.as, r);
	pc = regs[arch_native->modes->pc];
	while (!err && r->n < max) {
		pcs[r->n++] = pc;
		err = unwind_step(&r->space, &c, arch_native->modes, &pc, r);
		if (err <= 0 || r->blind) {
			*ended = r->blind ? -UNW_ENOINFO : err;
			break;
		}
		err = 0;
	}
	return r->n;
}
