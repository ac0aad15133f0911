/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/rules.h"

#include <stdlib.h>
#include <string.h>

#include "stack/walk/cfi.h"
#include "linux/arch/code.h"
#include "stack/files/elf_file.h"
#include "stack/walk/ehabi.h"
#include "stack/walk/go.h"
#include "util/mem.h"

#define TABLE_MIN 64
#define CODE_KEY  (1ull << 63)
/* Set in addition to CODE_KEY in the keys of rows from the analysis CODE_ENTRY. */
#define ENTRY_KEY (1ull << 62)
/*
 * Maximum number of rules per file. It limits the use of memory by a tracee that executes more and
 * more different code.
 */
#define TABLE_MAX (1u << 20)

/* A file's rules, as a hash table with open addressing. size is 0 or a power of two. */
struct rule_table {
	struct rule *v;
	size_t n, size;
	uint64_t bytes; /* bytes charged to the file's memory budget */
};

struct row_table {
	struct row **v;
	size_t n, size;
	uint64_t bytes; /* bytes charged to the file's memory budget */
};

static void rule_table_clear(struct rule_table *t)
{
	free(t->v);
	*t = (struct rule_table){0};
}

static void rule_table_destroy(void *t)
{
	rule_table_clear(t);
	free(t);
}

static void row_table_clear(struct row_table *t)
{
	for (size_t i = 0; i < t->size; i++)
		free(t->v[i]);
	free(t->v);
	*t = (struct row_table){0};
}

static void row_table_destroy(void *t)
{
	row_table_clear(t);
	free(t);
}

static struct row_table *rows_of(struct elf_file *f)
{
	return elf_file_make_part(f, ELF_ROWS, sizeof(struct row_table), row_table_destroy);
}

static size_t hash(uint64_t addr, size_t size)
{
	return (addr * 0x9e3779b97f4a7c15ull >> 32) & (size - 1);
}

static struct rule *rule_slot(const struct rule_table *t, uint64_t addr)
{
	size_t i = hash(addr, t->size);

	while (t->v[i].kind != RULE_EMPTY && t->v[i].addr != addr)
		i = (i + 1) & (t->size - 1);
	return &t->v[i];
}

static void rule_insert(struct elf_file *f, struct rule_table *t, struct rule r)
{
	uint64_t more = 0;

	if (2 * (t->n + 1) > t->size)
		more = (t->size ? t->size : TABLE_MIN) * sizeof(*t->v);
	/*
	 * If the table is full, or may not use the memory that it needs to grow, drop all rules.
	 * They are created again when needed.
	 */
	if (t->n >= TABLE_MAX || !elf_file_charge(f, more)) {
		elf_file_return(f, t->bytes);
		rule_table_clear(t);
		more = 0; /* the smallest table is not charged */
	}
	t->bytes += more;
	if (2 * (t->n + 1) > t->size) {
		struct rule_table old = *t;

		t->size = old.size ? old.size * 2 : TABLE_MIN;
		t->v = mem_zalloc(t->size * sizeof(*t->v));
		for (size_t i = 0; i < old.size; i++)
			if (old.v[i].kind != RULE_EMPTY)
				*rule_slot(t, old.v[i].addr) = old.v[i];
		free(old.v);
	}
	*rule_slot(t, r.addr) = r;
	t->n++;
}

/*
 * Sets *words to the offset from the CFA, in words, at which a register is saved. Returns false if
 * the register is not saved at an offset from the CFA, or if *words cannot represent the offset. An
 * offset of 0 also returns false.
 */
static bool in_words(const struct arch_mode *mode, const struct row_reg *g, int16_t *words)
{
	int64_t n = g->n / mode->word;

	if (g->where != CFI_OFFSET || !n || g->n % mode->word || n != (int16_t)n)
		return false;
	*words = (int16_t)n;
	return true;
}

struct rule rule_of_row(const struct arch_mode *mode, const struct row *row)
{
	struct rule r = {.kind = RULE_SLOW, .bp_at = RULE_BP_KEPT};
	bool ra_found = false;

	if (row->err) {
		r.kind = row->err == -ENOENT  ? RULE_NONE
			 : row->err == -ESRCH ? RULE_LOST
					      : RULE_BAD;
		return r;
	}
	if (row->signal || row->cfa_expr)
		return r;
	for (size_t i = 0; i < row->nregs; i++) {
		const struct row_reg *g = &row->regs[i];

		if (g->column == mode->ra) {
			if (g->where == CFI_UNDEFINED) {
				r.kind = RULE_END;
				return r;
			}
			if (!in_words(mode, g, &r.ra_at))
				return r;
			ra_found = true;
		} else if (g->column == mode->sp) {
			return r;
		} else if (g->column == mode->bp) {
			if (!in_words(mode, g, &r.bp_at))
				return r;
		}
	}
	if (row->cfa_n != (int32_t)row->cfa_n)
		return r;
	r.cfa_off = (int32_t)row->cfa_n;
	if (!ra_found) {
		if (mode->ra != mode->pc && r.bp_at == RULE_BP_KEPT && row->cfa_reg == mode->sp)
			r.kind = RULE_LEAF;
		return r;
	}
	if (row->cfa_reg == mode->sp)
		r.kind = RULE_SP;
	else if (row->cfa_reg == mode->bp)
		r.kind = RULE_BP;
	return r;
}

#define STUB_MAX 256 /* maximum number of bytes that a stub may push */

/*
 * Corrects CFI whose CFA is below memory that the function uses. Returns true if it has changed *c.
 * Such CFI exists on machines with a return address register. There, a stub can push data and jump
 * to a function that pops the data. The CFI of that function ignores the pushed data. An example is
 * _dl_runtime_resolve() of glibc on aarch64. Its return address is at CFA + 8, and near its end,
 * the CFA is below the stack pointer.
 */
static bool lift_cfa(const struct arch_mode *mode, struct cfi_row *c)
{
	const struct cfi_rule *ra = &c->regs[mode->ra];
	const int64_t align = 2 * mode->word;
	int64_t more = 0;

	if (mode->ra == mode->pc || c->signal || c->cfa_expr || c->nbytes ||
	    c->cfa_reg != mode->sp || c->regs[mode->sp].where != CFI_SAME)
		return false;
	if (ra->where == CFI_OFFSET && ra->n >= 0 && ra->n <= STUB_MAX)
		more = (ra->n / align + 1) * align;
	else if (c->cfa.n < 0 && c->cfa.n >= -STUB_MAX)
		more = -c->cfa.n;
	if (!more || c->cfa.n > INT32_MAX)
		return false;
	c->cfa.n += more;
	for (unsigned i = 0; i < mode->columns; i++)
		if (c->regs[i].where == CFI_OFFSET || c->regs[i].where == CFI_VAL_OFFSET)
			c->regs[i].n = (int64_t)((uint64_t)c->regs[i].n - (uint64_t)more);
	return true;
}

/*
 * Corrects the CFI of the Go functions that switch stacks. Returns 0, or the error to store in the
 * row.
 */
static int correct_go(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
		      struct cfi_row *c)
{
	bool known;

	switch (go_function_at(f, addr, &known)) {
	case GO_FIRST:
		c->regs[mode->ra].where = CFI_UNDEFINED;
		return 0;
	case GO_SWITCH:
		return -ESRCH;
	case GO_SIGRETURN:
		return -ENOENT;
	default:
		return known ? 0 : -EAGAIN;
	}
}

static struct row *row_make(struct elf_file *f, const struct arch_mode *mode, uint64_t addr)
{
	struct cfi_row c;
	int err = cfi_lookup(f, mode, addr, &c);
	bool corrected = false;
	size_t n = 0, nbytes;
	struct row *r;

	if (err == -ENOENT && mode->unwind_table)
		err = ehabi_lookup(f, mode, addr, &c);

	/*
	 * This CFI lacks rules for the signal frame. The layout of the frame is known (sigframes of
	 * struct arch_mode), so walk it without CFI.
	 */
	if (!err && c.signal && mode->sigframe_bare && c.regs[mode->ra].where == CFI_SAME) {
		free(c.bytes);
		err = -ENOENT;
	}
	if (!err) {
		err = correct_go(f, mode, addr, &c);
		if (err)
			free(c.bytes);
	}
	if (!err)
		corrected = lift_cfa(mode, &c);
	nbytes = err ? 0 : c.nbytes;

	for (unsigned i = 0; !err && i < mode->columns; i++)
		n += c.regs[i].where != CFI_SAME;
	r = mem_zalloc(sizeof(*r) + n * sizeof(r->regs[0]) + nbytes);
	r->key = addr;
	r->err = err;
	if (err)
		return r;
	r->signal = c.signal;
	r->corrected = corrected;
	r->cfa_expr = c.cfa_expr;
	r->cfa_reg = c.cfa_reg;
	r->cfa_n = c.cfa.n;
	r->cfa_len = c.cfa.len;
	for (unsigned i = 0; i < mode->columns; i++)
		if (c.regs[i].where != CFI_SAME)
			r->regs[r->nregs++] =
				(struct row_reg){i, c.regs[i].where, c.regs[i].len, c.regs[i].n};
	r->bytes = (uint8_t *)&r->regs[n];
	r->nbytes = nbytes;
	if (nbytes)
		memcpy((uint8_t *)&r->regs[n], c.bytes, nbytes);
	free(c.bytes);
	return r;
}

/* Returns whether addr fits into the keys of the tables. Programs have no code at others. */
static bool fits_key(uint64_t addr)
{
	return !(addr >> 48);
}

struct rule rule_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr)
{
	struct rule_table *t = elf_file_make_part(f, ELF_RULES, sizeof(*t), rule_table_destroy);
	struct row *row;
	struct rule r;

	if (unlikely(!fits_key(addr)))
		return (struct rule){.kind = RULE_NONE};
	if (t->size) {
		r = *rule_slot(t, addr);
		if (likely(r.kind != RULE_EMPTY))
			return r;
	}
	row = row_make(f, mode, addr);
	r = rule_of_row(mode, row);
	r.addr = addr;
	if (unlikely(row->err == -EAGAIN)) {
		free(row);
		return r;
	}
	free(row);
	rule_insert(f, t, r);
	return r;
}

static struct row **row_slot(const struct row_table *t, uint64_t key)
{
	size_t i = hash(key, t->size);

	while (t->v[i] && t->v[i]->key != key)
		i = (i + 1) & (t->size - 1);
	return &t->v[i];
}

static const struct row *row_find(const struct row_table *t, uint64_t key)
{
	return t->size ? *row_slot(t, key) : NULL;
}

static size_t row_size(const struct row *r)
{
	return sizeof(*r) + r->nregs * sizeof(r->regs[0]) + r->nbytes;
}

static const struct row *row_insert(struct elf_file *f, struct row_table *t, struct row *r)
{
	size_t more = row_size(r);

	if (2 * (t->n + 1) > t->size)
		more += (t->size ? t->size : TABLE_MIN) * sizeof(*t->v);
	if (t->n >= TABLE_MAX / 4 || !elf_file_charge(f, more)) {
		elf_file_return(f, t->bytes);
		row_table_clear(t);
		more = 0;
	}
	t->bytes += more;
	if (2 * (t->n + 1) > t->size) {
		struct row_table old = *t;

		t->size = old.size ? old.size * 2 : TABLE_MIN;
		t->v = mem_zalloc(t->size * sizeof(*t->v));
		for (size_t i = 0; i < old.size; i++)
			if (old.v[i])
				*row_slot(t, old.v[i]->key) = old.v[i];
		free(old.v);
	}
	*row_slot(t, r->key) = r;
	t->n++;
	return r;
}

const struct row *row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr)
{
	static const struct row later = {.err = -EAGAIN}, none = {.err = -ENOENT};
	struct row_table *t = rows_of(f);
	const struct row *known = row_find(t, addr);
	struct row *r;

	if (unlikely(!fits_key(addr)))
		return &none;
	if (known)
		return known;
	r = row_make(f, mode, addr);
	if (r->err != -EAGAIN)
		return row_insert(f, t, r);
	free(r);
	return &later;
}

static bool read_code(void *ctx, uint64_t addr, void *buf, size_t n)
{
	return elf_file_load(ctx, addr, buf, n);
}

struct row *row_from_code(const struct arch_mode *mode, const struct code_source *code,
			  uint64_t addr, enum code_analysis analysis)
{
	bool (*const read)(const struct code_source *, uint64_t, struct code_exit *) =
		analysis == CODE_ENTRY ? mode->code->find_entry : mode->code->find_exit;
	struct code_exit x;
	bool found = read && read(code, addr, &x);
	struct row *r = mem_zalloc(sizeof(*r) + (found ? mode->columns : 0) * sizeof(r->regs[0]));

	r->err = -ENOENT;
	if (!found)
		return r;
	r->err = 0;
	r->cfa_reg = x.base;
	r->cfa_n = x.sp;
	for (unsigned i = 0; i < mode->columns && i < 32; i++)
		if (i != mode->ra && i != mode->sp && x.saved & 1u << i)
			r->regs[r->nregs++] =
				(struct row_reg){i, CFI_OFFSET, 0, x.at[i] - r->cfa_n};
		else if (x.moved & 1u << i)
			r->regs[r->nregs++] = (struct row_reg){i, CFI_REGISTER, 0, x.at[i]};
		else if (x.lost & 1u << i)
			r->regs[r->nregs++] = (struct row_reg){i, CFI_UNDEFINED, 0, 0};
	if (!x.ra_kept)
		r->regs[r->nregs++] = (struct row_reg){mode->ra, CFI_OFFSET, 0, x.ra - r->cfa_n};
	return r;
}

const struct row *code_row_get(struct elf_file *f, const struct arch_mode *mode, uint64_t addr,
			       enum code_analysis analysis)
{
	const uint64_t key = addr | CODE_KEY | (analysis == CODE_ENTRY ? ENTRY_KEY : 0);
	struct row_table *t = rows_of(f);
	const struct row *known = row_find(t, key);
	struct code_source code = {read_code, f};
	struct row *r;

	if (known)
		return known;
	r = row_from_code(mode, &code, addr, analysis);
	r->key = key;
	return row_insert(f, t, r);
}
