/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/step_libunwind.h"

#include <stdlib.h>
#include <string.h>

#include "stack/walk/cfi_record.h"
#include "stack/walk/stepper.h"
#include "stack/walk/unwind_space.h"
#include "util/mem.h"

/*
 * The address at which libunwind reads a search table in .eh_frame_hdr format. The table has one
 * entry, and the record with the call frame information follows it. The address is not in user
 * space, so a tracee cannot have memory there.
 */
#define TABLE_AT   0xffff700000000000ull
#define TABLE_SIZE 8
#define RECORD_AT  (TABLE_AT + TABLE_SIZE)

struct libunwind {
	bool works;
	struct unwind_space space;
	struct cfi_record record;
	/* The remaining members are valid during one step. */
	struct walk *w;
	struct elf_file *f; /* the file that contains the code */
	uint64_t bias;	    /* load bias: tracee address minus ELF address */
	const uint64_t *regs;
	uint64_t valid;
	bool found;	     /* true if libunwind accepted the record */
	uint64_t unreadable; /* the address that libunwind failed to read, or 0 */
};

static int find_proc_info(unw_addr_space_t as attr_unused, unw_word_t ip, unw_proc_info_t *pi,
			  int need, void *arg)
{
	struct libunwind *u = arg;
	const struct unwind_table table = {u->record.lo, u->record.hi, TABLE_AT, TABLE_AT, 1};
	int err;

	if (ip < table.start || ip >= table.end)
		return -UNW_ENOINFO;
	err = unwind_space_search(&u->space, ip, &table, pi, need, arg);
	u->found = !err;
	return err;
}

/*
 * Returns the table's only entry. The start address in the entry is the lowest possible one, so the
 * entry matches every pc.
 */
static unw_word_t table_entry(const struct libunwind *u)
{
	return (uint32_t)INT32_MIN | (unw_word_t)(TABLE_SIZE + u->record.fde) << 32;
}

/*
 * Reads the current function's code from its file. libunwind needs the code to recognize sigreturn
 * code. A recorded stack contains no code. If libunwind cannot read the code, it may use a return
 * address in place of the pc, for example on aarch64. Returns false if addr is not in the function
 * or if the file lacks the code.
 */
static bool read_code(const struct libunwind *u, uint64_t addr, unw_word_t *value)
{
	uint64_t at = addr - u->bias, n;

	if (addr < u->record.lo || addr >= u->record.hi)
		return false;
	n = elf_file_room(u->f, at);
	*value = 0;
	return elf_file_load(u->f, at, value, n < sizeof(*value) ? n : sizeof(*value));
}

static int access_mem(unw_addr_space_t as attr_unused, unw_word_t addr, unw_word_t *value,
		      int write, void *arg)
{
	struct libunwind *u = arg;
	uint64_t at = addr - RECORD_AT;

	if (write)
		return -UNW_EINVAL;
	if (addr == TABLE_AT) {
		*value = table_entry(u);
		return 0;
	}
	if (at < u->record.bytes.len && u->record.bytes.len - at >= sizeof(*value)) {
		memcpy(value, u->record.bytes.data + at, sizeof(*value));
		return 0;
	}
	if (snapshot_read(&u->w->snap, addr, value, sizeof(*value)) || read_code(u, addr, value))
		return 0;
	u->unreadable = addr;
	return -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as attr_unused, unw_regnum_t reg, unw_word_t *value,
		      int write, void *arg)
{
	const struct libunwind *u = arg;

	reg = unwind_column(u->w->mode, reg);
	if (write || reg < 0 || reg >= u->w->mode->columns || !(u->valid & 1ull << reg))
		return -UNW_EBADREG;
	*value = u->regs[reg];
	return 0;
}

static unw_word_t signature_bits(unw_addr_space_t as attr_unused, void *arg)
{
	const struct libunwind *u = arg;

	return ~u->w->ra_mask;
}

static const struct unwind_accessors accessors = {.find_proc_info = find_proc_info,
						  .access_mem = access_mem,
						  .access_reg = access_reg,
						  .ptrauth_insn_mask = signature_bits};

static struct libunwind *libunwind_create(void)
{
	struct libunwind *u = mem_zalloc(sizeof(*u));

	/*
	 * Each step puts a different record at the same address, so libunwind must not cache
	 * records.
	 */
	u->works = unwind_space_init(&u->space, &accessors);
	return u;
}

void libunwind_destroy(struct libunwind *u)
{
	if (!u)
		return;
	unwind_space_deinit(&u->space);
	strbuf_deinit(&u->record.bytes);
	free(u);
}

bool libunwind_works(void)
{
	struct libunwind *u = libunwind_create();
	const bool works = u->works;

	libunwind_destroy(u);
	return works;
}

/*
 * Copies the known registers of the caller. pc is the caller's pc. Returns false if the caller's sp
 * is not known.
 */
static bool take_registers(struct libunwind *u, struct walk_state *s, unw_cursor_t *c, uint64_t pc)
{
	const struct arch_mode *mode = s->m.mode;
	uint64_t reg[ARCH_COLUMNS_MAX] = {0};
	uint64_t valid = 1ull << mode->pc;

	for (unsigned i = 0; i < mode->columns; i++)
		if (i != mode->pc && unwind_register(&u->space, c, mode, i, &reg[i], u))
			valid |= 1ull << i;
	if (!(valid & 1ull << mode->sp))
		return false;
	reg[mode->pc] = pc;
	memcpy(s->m.reg, reg, sizeof(reg));
	s->m.valid = valid;
	return true;
}

static enum outcome step(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr)
{
	struct libunwind *u;
	const uint64_t lookup = s->pc - !s->exact, sp = s->m.reg[w->mode->sp];
	uint64_t regs[ARCH_COLUMNS_MAX], lo, hi;
	unw_cursor_t c;
	uint64_t pc = 0;
	int err;

	if (w->mode != arch_native->modes)
		return walk_refused(w, STACK_UNSUPPORTED, s->pc);
	if (!w->libunwind)
		w->libunwind = libunwind_create();
	u = w->libunwind;
	if (!u->works)
		return walk_refused(w, STACK_UNSUPPORTED, s->pc);
	err = cfi_record_make(&u->record, f, w->mode, addr, lookup - addr);
	/* makecontext(3) has put this address on the stack; see begins_function() in walk.c. */
	if (err == -ENOENT && cfi_function(f, addr + 1, &lo, &hi) && lo == addr + 1 &&
	    !walk_at_sigreturn(w, s))
		return walk_ended(w, STACK_COMPLETE, 0);
	if (err == -EAGAIN)
		return walk_ended(w, STACK_OVER_BUDGET, s->pc);
	if (!err && u->record.signal && w->mode->sigframe_bare)
		return NO_CFI;
	if (err)
		return err == -ENOENT ? NO_CFI : walk_refused(w, STACK_BAD_CFI, s->pc);
	memcpy(regs, s->m.reg, sizeof(regs));
	/*
	 * Pass `lookup` instead of the pc. The pc after a call may belong to the next function, and
	 * libunwind does not subtract 1 here.
	 */
	regs[w->mode->pc] = lookup;
	u->w = w;
	u->f = f;
	u->bias = lookup - addr;
	u->regs = regs;
	u->valid = s->m.valid | 1ull << w->mode->pc;
	u->found = false;
	u->unreadable = 0;
	err = u->space.lib.unw_init_remote(&c, u->space.as, u);
	if (!err)
		err = unwind_step(&u->space, &c, w->mode, &pc, u);
	/* If libunwind did not use the record, it has guessed. Discard the result. */
	if (err < 0 || !u->found)
		return u->unreadable ? walk_ended(w, STACK_UNREADABLE, u->unreadable)
				     : walk_refused(w, STACK_BAD_CFI, s->pc);
	if (!err)
		return walk_ended(w, STACK_COMPLETE, 0);
	if (!take_registers(u, s, &c, pc))
		return walk_refused(w, STACK_BAD_CFI, s->pc);
	/* The step led back to the same frame. walk.c detects cycles of several frames. */
	if (s->m.reg[w->mode->pc] == s->pc && s->m.reg[w->mode->sp] == sp)
		return walk_ended(w, STACK_LOOP, s->pc);
	s->pc = s->m.reg[w->mode->pc];
	s->exact = u->record.signal;
	s->by = FRAME_BY_LIBUNWIND;
	return GO_ON;
}

const struct stepper stepper_libunwind = {.step = step, .whole = true};
