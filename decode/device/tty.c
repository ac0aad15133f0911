/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/device/tty.h"

/* Bit masks of asm-generic/termbits.h and asm/termbits.h. */
#define CBAUD	0x100f
#define CSIZE	0x30
#define CIBAUD	0x100f0000
#define IBSHIFT 16

/* Shows flags. If none of them is set, shows nothing instead of 0. */
static struct value *flags_or_nothing(struct decoder *d, const struct xlat *x, uint64_t n)
{
	struct value *v = n ? value_flags(d->arena, x, n) : value_word(d->arena, "", 0);

	if (!n)
		v->text |= TEXT_ALWAYS | TEXT_PLAIN;
	return v;
}

/*
 * Returns an empty list of operands that are joined by |. The caller adds bit fields and flags to
 * it.
 */
static struct value *parts(struct decoder *d, uint64_t n)
{
	struct value *v = value_expr(d->arena, VALUE_OP_OR, n);

	v->text |= TEXT_ALWAYS | TEXT_STYLED;
	return v;
}

struct value *tty_iflag(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return flags_or_nothing(d, &xlat_term_iflags, n);
}

struct value *tty_lflag(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return flags_or_nothing(d, &xlat_term_lflags, n);
}

struct value *tty_oflag(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct {
		uint32_t mask;
		const struct xlat *names;
	} delays[] = {
		{0x100, &xlat_term_oflags_nl},	 {0x600, &xlat_term_oflags_cr},
		{0x1800, &xlat_term_oflags_tab}, {0x2000, &xlat_term_oflags_bs},
		{0x4000, &xlat_term_oflags_vt},	 {0x8000, &xlat_term_oflags_ff},
	};
	struct value *v = parts(d, n);

	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		value_add(v, value_enum(d->arena, delays[i].names, n & delays[i].mask));
		n &= ~(uint64_t)delays[i].mask;
	}
	value_add(v, flags_or_nothing(d, &xlat_term_oflags, n));
	return v;
}

struct value *tty_cflag(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = parts(d, n);
	uint64_t input = (n & CIBAUD) >> IBSHIFT;

	value_add(v, value_enum(d->arena, &xlat_term_speeds, n & CBAUD));
	if (input) {
		struct value *shifted = value_expr(d->arena, VALUE_OP_SHIFT, input);

		shifted->text |= TEXT_ALWAYS | TEXT_STYLED;
		value_add(shifted, value_enum(d->arena, &xlat_term_speeds, input));
		value_add(shifted, value_word(d->arena, "IBSHIFT", IBSHIFT));
		value_add(v, shifted);
	}
	value_add(v, value_enum(d->arena, &xlat_term_sizes, n & CSIZE));
	value_add(v,
		  flags_or_nothing(d, &xlat_term_cflags, n & ~(uint64_t)(CBAUD | CIBAUD | CSIZE)));
	return v;
}

static struct value *cc_memory(struct decoder *d, const struct type *t attr_unused,
			       uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {
		"[VINTR]",    "[VQUIT]",    "[VERASE]",	 "[VKILL]",  "[VEOF]",	"[VTIME]",
		"[VMIN]",     "[VSWTC]",    "[VSTART]",	 "[VSTOP]",  "[VSUSP]", "[VEOL]",
		"[VREPRINT]", "[VDISCARD]", "[VWERASE]", "[VLNEXT]", "[VEOL2]"};
	struct value *v = value_array(d->arena);

	for (size_t i = 0; i < len; i++)
		value_add_named(
			v, i < ARRAY_SIZE(names) ? names[i] : arena_printf(d->arena, "[%zu]", i),
			value_hex(d->arena, bytes[i]));
	return v;
}

const struct type_ops type_tty_cc = {.name = "c_cc", .memory = cc_memory};
