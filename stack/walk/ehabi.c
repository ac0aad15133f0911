/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/ehabi.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "util/cursor.h"
#include "util/mem.h"

#define ENTRY_SIZE 8
#define CANTUNWIND 1
/*
 * Maximum length of a function's instructions in bytes. In a table entry with a predefined
 * personality routine, one byte contains the number of words after the first word.
 */
#define INSTRUCTIONS_MAX (4 + 4 * 255)
#define OFFSET_MAX	 (1 << 30) /* limit on offsets in bytes; no frame is this large */
#define REGISTERS	 16

/*
 * An address: the value of register `reg`, plus n. If `word` is set, the word at this address, plus
 * `more`, is the address instead.
 */
struct place {
	uint8_t reg;
	bool word;
	int64_t n, more;
};

struct unwinding {
	struct place vsp;
	uint32_t popped; /* bit mask of the registers that were popped */
	struct place at[REGISTERS];
};

/* Finding a function's instructions */

/* Decodes a 31-bit offset that is relative to its own address (EHABI32, section 5). */
static uint32_t prel31(uint64_t at, uint32_t word)
{
	return (uint32_t)at + (uint32_t)((int32_t)(word << 1) >> 1);
}

static bool entry_start(struct elf_file *f, uint64_t i, uint32_t *start)
{
	const uint64_t at = f->unwind_table + i * ENTRY_SIZE;
	uint32_t word;

	if (!elf_file_load(f, at, &word, sizeof(word)))
		return false;
	*start = prel31(at, word) & ~(uint32_t)f->not_address;
	return true;
}

/*
 * Finds the table entry that covers addr: the last entry that begins at or before addr. Sets *entry
 * to the entry's index. Returns false if there is none or if the table cannot be read.
 */
static bool entry_find(struct elf_file *f, uint64_t addr, uint64_t *entry)
{
	const uint64_t room = elf_file_room(f, f->unwind_table);
	uint64_t lo = 0, hi;
	uint32_t start;

	hi = (f->unwind_table_size < room ? f->unwind_table_size : room) / ENTRY_SIZE;
	while (lo < hi) {
		const uint64_t mid = lo + (hi - lo) / 2;

		if (!entry_start(f, mid, &start))
			return false;
		if (start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*entry = lo - 1;
	return lo;
}

bool ehabi_begins(struct elf_file *f, uint64_t addr)
{
	uint64_t entry;
	uint32_t start;

	return f->unwind_table && entry_find(f, addr, &entry) && entry_start(f, entry, &start) &&
	       start == addr;
}

/* Stores the low `bytes` bytes of a word in out, most significant byte first. Returns `bytes`. */
static size_t take(uint8_t *out, uint32_t word, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		out[i] = word >> 8 * (bytes - 1 - i);
	return bytes;
}

/*
 * Reads the instructions whose first word is at the address `at`. Returns their length in bytes, or
 * -1 if they cannot be read or if their format is unknown.
 */
static ssize_t read_listed(struct elf_file *f, uint64_t at, uint8_t *out)
{
	unsigned more = 0;
	uint32_t word;
	size_t n;

	if (!elf_file_load(f, at, &word, sizeof(word)))
		return -1;
	/*
	 * The function has its own personality routine. Assume the data format that all compilers
	 * emit.
	 */
	if (!(word >> 31)) {
		at += 4;
		if (!elf_file_load(f, at, &word, sizeof(word)))
			return -1;
		more = word >> 24;
		n = take(out, word, 3);
	} else if (word >> 24 == 0x80) {
		n = take(out, word, 3);
	} else if (word >> 24 == 0x81 || word >> 24 == 0x82) {
		more = word >> 16 & 0xff;
		n = take(out, word, 2);
	} else {
		return -1;
	}
	while (more--) {
		at += 4;
		if (!elf_file_load(f, at, &word, sizeof(word)))
			return -1;
		n += take(out + n, word, 4);
	}
	return (ssize_t)n;
}

/*
 * Reads the instructions of the function at addr. Returns their length in bytes, or an error as
 * ehabi_lookup() does.
 */
static ssize_t read_instructions(struct elf_file *f, uint64_t addr, uint8_t *out)
{
	uint64_t entry, at;
	uint32_t word;
	ssize_t n;

	if (!f->unwind_table || !entry_find(f, addr, &entry))
		return -ENOENT;
	at = f->unwind_table + entry * ENTRY_SIZE + 4;
	if (!elf_file_load(f, at, &word, sizeof(word)))
		return -EINVAL;
	if (word == CANTUNWIND)
		return -ENOENT;
	if (word >> 31)
		return word >> 24 == 0x80 ? (ssize_t)take(out, word, 3) : -EINVAL;
	n = read_listed(f, prel31(at, word), out);
	return n < 0 ? -EINVAL : n;
}

/* Executing the instructions: EHABI32, section 10.3, "Frame unwinding instructions" */

static bool move(struct unwinding *u, int64_t n)
{
	int64_t *at = u->vsp.word ? &u->vsp.more : &u->vsp.n;

	*at += n;
	return *at <= OFFSET_MAX && *at >= -OFFSET_MAX;
}

static bool pop(struct unwinding *u, uint32_t mask)
{
	for (unsigned i = 0; i < REGISTERS; i++) {
		if (!(mask & 1u << i))
			continue;
		u->at[i] = u->vsp;
		if (!move(u, 4))
			return false;
	}
	u->popped |= mask;
	return true;
}

/*
 * Sets vsp (the virtual stack pointer of EHABI32) to the current value of a register. Returns false
 * if this value cannot be represented.
 */
static bool move_to(struct unwinding *u, unsigned reg)
{
	if (!(u->popped & 1u << reg)) {
		u->vsp = (struct place){.reg = reg};
		return true;
	}
	/* the new address would need two dereferences; no compiler emits this */
	if (u->at[reg].word)
		return false;
	u->vsp = (struct place){u->at[reg].reg, true, u->at[reg].n, 0};
	return true;
}

static bool add_large(struct unwinding *u, struct cursor *c)
{
	const uint64_t n = cursor_uleb(c);

	return !c->bad && n < OFFSET_MAX / 4 && move(u, 0x204 + 4 * (int64_t)n);
}

/* Executes an instruction of the form 1011xxxx. */
static int execute_1011(struct unwinding *u, struct cursor *c, uint8_t op)
{
	uint8_t operand;

	switch (op) {
	case 0xb1:
		operand = cursor_uint(c, 1);
		return operand && operand < 16 && pop(u, operand) ? 0 : -EINVAL;
	case 0xb2:
		return add_large(u, c) ? 0 : -EINVAL;
	/*
	 * Pops floating-point registers that FSTMFDX stored, and the extra word that FSTMFDX stored
	 * after them.
	 */
	case 0xb3:
		operand = cursor_uint(c, 1);
		return move(u, 8 * ((operand & 15) + 1) + 4) ? 0 : -EINVAL;
	case 0xb4: /* pops the authentication code of the return address */
		return move(u, 4) ? 0 : -EINVAL;
	case 0xb5: /* the return address was authenticated with vsp as the modifier */
		return 0;
	}
	return op >= 0xb8 && move(u, 8 * ((op & 7) + 1) + 4) ? 0 : -EINVAL;
}

/* Executes an instruction of the form 11xxxxxx, which pops registers of the FPU or of iWMMXt. */
static int execute_11(struct unwinding *u, struct cursor *c, uint8_t op)
{
	uint8_t operand;

	switch (op) {
	case 0xc7:
		operand = cursor_uint(c, 1);
		return operand && operand < 16 && move(u, 4 * __builtin_popcount(operand))
			       ? 0
			       : -EINVAL;
	case 0xc6:
	case 0xc8:
	case 0xc9:
		operand = cursor_uint(c, 1);
		return move(u, 8 * ((operand & 15) + 1)) ? 0 : -EINVAL;
	}
	return (op < 0xc8 || (op >= 0xd0 && op < 0xd8)) && move(u, 8 * ((op & 7) + 1)) ? 0
										       : -EINVAL;
}

/*
 * Executes an instruction of the form 1000iiii iiiiiiii, which pops registers. If all bits i are 0,
 * the function cannot be unwound, and -ENOENT is returned. Returns -EINVAL for invalid
 * instructions.
 */
static int pop_many(struct unwinding *u, const struct arch_mode *mode, struct cursor *c, uint8_t op)
{
	const uint32_t mask = ((op & 15u) << 8 | (uint32_t)cursor_uint(c, 1)) << 4;

	if (!mask)
		return -ENOENT;
	if (!pop(u, mask))
		return -EINVAL;
	return mask & 1u << mode->sp && !move_to(u, mode->sp) ? -EINVAL : 0;
}

static int execute(struct unwinding *u, const struct arch_mode *mode, struct cursor c)
{
	while (c.p < c.end) {
		const uint8_t op = cursor_uint(&c, 1), low = op & 15;
		int err = 0;

		if (op == 0xb0) /* the instruction "finish" */
			break;
		if (op < 0x40)
			err = move(u, (op & 63) * 4 + 4) ? 0 : -EINVAL;
		else if (op < 0x80)
			err = move(u, -((op & 63) * 4 + 4)) ? 0 : -EINVAL;
		else if (op < 0x90)
			err = pop_many(u, mode, &c, op);
		else if (op < 0xa0)
			err = low != mode->sp && low != mode->pc && move_to(u, low) ? 0 : -EINVAL;
		else if (op < 0xb0)
			err = pop(u,
				  ((1u << ((op & 7) + 1)) - 1) << 4 | (op & 8 ? 1u << mode->ra : 0))
				      ? 0
				      : -EINVAL;
		else if (op < 0xc0)
			err = execute_1011(u, &c, op);
		else
			err = execute_11(u, &c, op);
		if (err || c.bad)
			return err ? err : -EINVAL;
	}
	return 0;
}

/* Building the row */

/* operations of DWARF 5, section 7.7.1 */
enum { OP_DEREF = 0x06, OP_CONSTS = 0x11, OP_PLUS = 0x22, OP_BREG0 = 0x70 };

static struct cfi_rule expression(struct strbuf *out, struct place p, enum cfi_where where)
{
	const size_t start = out->len;

	strbuf_putc(out, (char)(OP_BREG0 + p.reg));
	put_sleb(out, p.n);
	if (p.word) {
		strbuf_putc(out, OP_DEREF);
		strbuf_putc(out, OP_CONSTS);
		put_sleb(out, p.more);
		strbuf_putc(out, OP_PLUS);
	}
	return (struct cfi_rule){where, (uint16_t)(out->len - start), (int64_t)start};
}

static void make_row(const struct unwinding *u, const struct arch_mode *mode, struct cfi_row *row)
{
	struct strbuf bytes = {0};

	memset(row, 0, sizeof(*row));
	row->cfa_expr = u->vsp.word;
	row->cfa_reg = u->vsp.reg;
	row->cfa = u->vsp.word ? expression(&bytes, u->vsp, CFI_VAL_EXPR)
			       : (struct cfi_rule){CFI_SAME, 0, u->vsp.n};
	for (unsigned i = 0; i < REGISTERS; i++) {
		const struct place at = u->at[i];

		if (!(u->popped & 1u << i) || i == mode->sp)
			continue;
		if (u->vsp.word || at.word || at.reg != u->vsp.reg)
			row->regs[i] = expression(&bytes, at, CFI_EXPR);
		else
			row->regs[i] = (struct cfi_rule){CFI_OFFSET, 0, at.n - u->vsp.n};
	}
	row->nbytes = bytes.len;
	if (bytes.len) {
		row->bytes = mem_alloc(bytes.len);
		memcpy(row->bytes, bytes.data, bytes.len);
	}
	strbuf_deinit(&bytes);
}

int ehabi_lookup(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
		 struct cfi_row *row)
{
	uint8_t bytes[INSTRUCTIONS_MAX];
	struct unwinding u = {.vsp.reg = mode->sp};
	const ssize_t n = read_instructions(f, addr, bytes);
	int err;

	if (n < 0)
		return (int)n;
	err = execute(&u, mode, (struct cursor){bytes, bytes + n, false});
	if (err)
		return err;
	/*
	 * Only signal frames pop the pc itself. Refuse them here, because they are recognized by
	 * their sigreturn code instead.
	 */
	if (u.popped & 1u << mode->pc)
		return -ENOENT;
	make_row(&u, mode, row);
	return 0;
}
