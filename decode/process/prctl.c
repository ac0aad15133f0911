/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/prctl.h"

#include <linux/prctl.h>
#include <string.h>

#include "decode/core/note.h"

/* ---- results ---- */

static struct value *ret_flags(struct decoder *d, const struct xlat *x, uint64_t n)
{
	decode_note_flags(d, x, n);
	return value_hex(d->arena, n);
}

struct value *decode_ret_speculation(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	struct value *v = value_or(d->arena, n);

	if (!xlat_name(&xlat_prctl_spec_ops, decode_arg_raw(d, 1)))
		return value_uint(d->arena, n);
	if (!n) {
		decode_note_named(d, value_word(d->arena, "PR_SPEC_NOT_AFFECTED", 0));
		return value_int(d->arena, 0);
	}
	if (n & PR_SPEC_PRCTL)
		value_add(v, value_word(d->arena, "PR_SPEC_PRCTL", PR_SPEC_PRCTL));
	for (unsigned i = 0; i < xlat_prctl_spec_values.n; i++) {
		const struct xlat_entry *e = &xlat_prctl_spec_values.entries[i];

		if (n & e->val)
			value_add(v, value_word(d->arena, e->name, e->val));
		n &= ~e->val;
	}
	if (v->child)
		decode_note_named(d, v);
	if (n & ~(uint64_t)PR_SPEC_PRCTL)
		value_add(v, value_hex(d->arena, n & ~(uint64_t)PR_SPEC_PRCTL));
	return value_hex(d->arena, v->num);
}

/* ---- arguments ---- */

struct value *decode_signo_long(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = decode_signo(d, n > INT32_MAX ? -1 : (int)n);

	return v->kind == VALUE_INT ? value_uint(d->arena, n) : v;
}

static struct value *vector_length(struct decoder *d, uint64_t n, const char *onexec,
				   const char *inherit)
{
	struct value *v = value_or(d->arena, n);
	uint64_t flags = n & ~(uint64_t)PR_SVE_VL_LEN_MASK;

	if (!flags)
		return value_hex(d->arena, n);
	v->text |= TEXT_PLAIN;
	if (flags & PR_SVE_SET_VL_ONEXEC)
		value_add(v, value_word(d->arena, onexec, PR_SVE_SET_VL_ONEXEC));
	if (flags & PR_SVE_VL_INHERIT)
		value_add(v, value_word(d->arena, inherit, PR_SVE_VL_INHERIT));
	flags &= ~(uint64_t)(PR_SVE_SET_VL_ONEXEC | PR_SVE_VL_INHERIT);
	if (flags)
		value_add(v, value_hex(d->arena, flags));
	value_add(v, value_hex(d->arena, n & PR_SVE_VL_LEN_MASK));
	return v;
}

struct value *decode_sve_vl(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return vector_length(d, n, "PR_SVE_SET_VL_ONEXEC", "PR_SVE_VL_INHERIT");
}

struct value *decode_sme_vl(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return vector_length(d, n, "PR_SME_SET_VL_ONEXEC", "PR_SME_VL_INHERIT");
}

/*
 * Shows the value that PR_SET_SPECULATION_CTRL sets. If the feature in argument 1 is unknown, shows
 * a number.
 */
struct value *decode_speculation(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (xlat_name(&xlat_prctl_spec_ops, decode_arg_raw(d, 1)))
		return value_enum(d->arena, &xlat_prctl_spec_values, n);
	return value_hex(d->arena, n);
}

#define MTE_TCF	  0x6 /* PR_MTE_TCF_MASK, PR_MTE_TAG_MASK */
#define MTE_SHIFT 3
#define MTE_TAGS  (0xffffull << MTE_SHIFT)

struct value *decode_tagged_addr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_or(d->arena, n), *shifted;
	uint64_t rest = n & ~(MTE_TAGS | MTE_TCF | PR_TAGGED_ADDR_ENABLE);

	v->text |= TEXT_PLAIN;
	value_add(v, value_word(d->arena,
				n & PR_TAGGED_ADDR_ENABLE ? "PR_TAGGED_ADDR_ENABLE"
							  : "!PR_TAGGED_ADDR_ENABLE",
				n & PR_TAGGED_ADDR_ENABLE));
	value_add(v, value_enum(d->arena, &xlat_prctl_mte_tcf, n & MTE_TCF));
	if (n & MTE_TAGS) {
		shifted = value_add(v, value_expr(d->arena, VALUE_OP_SHIFT, n & MTE_TAGS));
		value_add(shifted, value_hex(d->arena, (n & MTE_TAGS) >> MTE_SHIFT));
		value_add(shifted, value_word(d->arena, "PR_MTE_TAG_SHIFT", MTE_SHIFT));
	}
	if (rest)
		value_add(v, value_hex(d->arena, rest));
	return v;
}

#define RISCV_V_INHERIT                                                                            \
	0x10 /* PR_RISCV_V_VSTATE_CTRL_INHERIT; the bits below it contain two states */
#define RISCV_V_KNOWN 0x1f

static struct value *riscv_v_state(struct decoder *d, uint64_t n)
{
	return value_enum(d->arena, &xlat_prctl_riscv_v_states, n);
}

struct value *decode_riscv_v(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_or(d->arena, n), *next;

	v->text |= TEXT_PLAIN;
	value_add(v, riscv_v_state(d, n & 3));
	next = value_add(v, value_expr(d->arena, VALUE_OP_SHIFT, n & 0xc));
	value_add(next, riscv_v_state(d, n >> 2 & 3));
	value_add(next, value_int(d->arena, 2));
	value_add(v, value_word(d->arena,
				n & RISCV_V_INHERIT ? "PR_RISCV_V_VSTATE_CTRL_INHERIT"
						    : "!PR_RISCV_V_VSTATE_CTRL_INHERIT",
				n & RISCV_V_INHERIT));
	if (n & ~(uint64_t)RISCV_V_KNOWN)
		value_add(v, value_hex(d->arena, n & ~(uint64_t)RISCV_V_KNOWN));
	return v;
}

/* Shows a number, followed by its name as a comment. -X raw omits the comment. */
static struct value *commented(struct decoder *d, const struct xlat *x, uint64_t n,
			       const char *unknown)
{
	struct value *v = value_hex(d->arena, n);
	const char *name = xlat_name(x, n);

	v->comment = name ? name : unknown;
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *decode_pidtype(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return commented(d, &xlat_pidtypes, n, "PIDTYPE_???");
}

/* ---- arch_prctl(2): asm/fpu/types.h ---- */

struct value *decode_xfeature(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return commented(d, &xlat_xfeatures, n, "XFEATURE_???");
}

static void add_name(void *ctx, const struct xlat_entry *e)
{
	struct {
		struct arena *arena;
		const char *text;
	} *c = ctx;

	c->text = c->text ? arena_printf(c->arena, "%s|%s", c->text, e->name) : e->name;
}

/* Names for several bits come first, so that they are preferred to names for single bits. */
static const struct xlat_entry xfeature_mask_rows[] = {
	{0x3, "XFEATURE_MASK_FPSSE"},
	{0x1, "XFEATURE_MASK_FP"},
	{0x2, "XFEATURE_MASK_SSE"},
	{0x4, "XFEATURE_MASK_YMM"},
	{0x8, "XFEATURE_MASK_BNDREGS"},
	{0x10, "XFEATURE_MASK_BNDCSR"},
	{0xe0, "XFEATURE_MASK_AVX512"},
	{0x20, "XFEATURE_MASK_OPMASK"},
	{0x40, "XFEATURE_MASK_ZMM_Hi256"},
	{0x80, "XFEATURE_MASK_Hi16_ZMM"},
	{0x100, "XFEATURE_MASK_PT"},
	{0x200, "XFEATURE_MASK_PKRU"},
	{0x400, "XFEATURE_MASK_PASID"},
	{0x8000, "XFEATURE_MASK_LBR"},
	{0x60000, "XFEATURE_MASK_XTILE"},
	{0x20000, "XFEATURE_MASK_XTILE_CFG"},
	{0x40000, "XFEATURE_MASK_XTILE_DATA"},
};
static const struct xlat xfeature_masks = {"xfeature_masks", "XFEATURE_MASK_???", XLAT_FLAGS,
					   ARRAY_SIZE(xfeature_mask_rows), xfeature_mask_rows};

struct value *decode_xfeature_mask(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct {
		struct arena *arena;
		const char *text;
	} c = {d->arena, NULL};
	struct value *v = value_hex(d->arena, n);
	uint64_t rest = value_flags_split(&xfeature_masks, n, add_name, &c);

	if (rest)
		c.text =
			c.text ? arena_printf(c.arena, "%s|%#llx", c.text, (unsigned long long)rest)
			       : "XFEATURE_MASK_???";
	v->comment = c.text;
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *decode_ret_xfeatures(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return (int64_t)n < 0 ? value_uint(d->arena, n) : ret_flags(d, &xfeature_masks, n);
}
