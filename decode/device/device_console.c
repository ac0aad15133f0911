/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys of the console's keyboard (linux/kd.h, linux/keyboard.h). */
#include <limits.h>

#include "decode/device/device.h"

#define KEY_STRING_MAX 512 /* size of kb_string in struct kbsentry */

/* Types of keys (linux/keyboard.h). */
enum { KT_LATIN = 0, KT_FN = 1, KT_META = 8, KT_LETTER = 11, KT_DEAD2 = 13 };

static const char *char_text(struct decoder *d, unsigned c)
{
	if (c == '\'' || c == '\\')
		return arena_printf(d->arena, "'\\%c'", c);
	if (c >= '\t' && c <= '\r')
		return arena_printf(d->arena, "'\\%c'", "tnvfr"[c - '\t']);
	return arena_printf(d->arena, c >= ' ' && c < 0x7f ? "'%c'" : "'\\x%02x'", c);
}

struct value *kd_character(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_word(d->arena, char_text(d, n), n);

	v->text |= TEXT_ALWAYS | TEXT_PLAIN;
	return v;
}

/* The ports to which a console may allow access: GPFIRST to GPLAST in drivers/tty/vt/vt_ioctl.c. */
#define PORT_FIRST 0x3b4
#define PORT_LAST  0x3df

static struct value *port_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	if (n >= PORT_FIRST && n <= PORT_LAST) {
		v->comment = arena_printf(d->arena, "GPFIRST + %u", (unsigned)(n - PORT_FIRST));
		v->text |= TEXT_COMMENT_READS;
	}
	return v;
}
const struct type_ops type_kd_port = {.name = "kd_port", .number = port_number};

/*
 * Shows a key with its meaning: either the key's name, or a type and a value such as K(KT_LETTER,
 * '\n').
 */
static struct value *key_value(struct decoder *d, unsigned n)
{
	unsigned type = n >> 8, value = n & 0xff;
	struct value *v = value_expr(d->arena, VALUE_OP_PLUS, n), *call;
	const char *name = xlat_name(&xlat_kd_keys, n);

	v->extra = value_hex(d->arena, n);
	v->text |= TEXT_BOTH | TEXT_STYLED;
	if (name) {
		value_add(v, value_plain(d->arena, name));
		return v;
	}
	call = value_add(v, value_call(d->arena, "K"));
	call->text |= TEXT_ALWAYS;
	name = xlat_name(&xlat_kd_key_types, type);
	value_add(call, name ? value_word(d->arena, name, type) : value_hex(d->arena, type))
		->text |= TEXT_ALWAYS;
	if (type == KT_LATIN || type == KT_META || type == KT_LETTER || type == KT_DEAD2)
		value_add(call, kd_character(d, NULL, value));
	else
		value_add(call, value_hex(d->arena, value));
	return v;
}

/* Shows the key in a struct kbentry. It is read separately from the preceding members. */
static struct value *key_memory(struct decoder *d, const struct type *t attr_unused, uint64_t addr,
				const uint8_t *bytes attr_unused, size_t len attr_unused)
{
	uint16_t key;

	if (decode_read(d, addr, &key, sizeof(key)) < 0)
		return value_plain(d->arena, "???");
	return key_value(d, key);
}

const struct type_ops type_kd_key = {.name = "kd_key", .memory = key_memory};

static struct value *key_string_memory(struct decoder *d, const struct type *t attr_unused,
				       uint64_t addr, const uint8_t *bytes attr_unused,
				       size_t len attr_unused)
{
	return decode_string_in(d, addr, KEY_STRING_MAX);
}

const struct type_ops type_kd_key_string = {.name = "kd_key_string", .memory = key_string_memory};

static struct value *entry_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	const struct type entry = {.ops = &type_struct, .desc = t->desc};

	return decode_always(d, &entry, addr);
}

const struct type_ops type_kd_entry = {.name = "kd_entry", .fetch = entry_fetch};

struct value *kd_table(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return xlat_name(&xlat_kd_tables, n) ? value_enum(d->arena, &xlat_kd_tables, n)
					     : value_flags(d->arena, &xlat_kd_table_flags, n);
}

struct value *kd_function_key(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_call(d->arena, "KVAL");

	v->num = n;
	v->text |= TEXT_ONE_WORD;
	value_add(v, value_enum(d->arena, &xlat_kd_keys, KT_FN << 8 | n));
	return v;
}

struct value *kd_signal(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return n <= INT_MAX ? decode_signo(d, n) : value_uint(d->arena, n);
}

/* ---- fonts ---- */

/* linux/kd.h: KD_FONT_OP_* */
enum { FONT_SET, FONT_GET, FONT_SET_DEFAULT, FONT_COPY };

#define FONT_NAME_MAX	32 /* size of the name in bytes, including the NUL */
#define FONT_PITCH	32 /* bytes per glyph for each eight pixels of its width */
#define FONT_WIDTH_MAX	32
#define FONT_GLYPHS_MAX 512

struct value *kd_font_name(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_string(d, n, size_min(d->config->string_limit, FONT_NAME_MAX - 1));
}

struct value *kd_font_data(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t pitch = FONT_PITCH,
		 count = size_min(decode_field(d, "charcount"), FONT_GLYPHS_MAX);
	struct value *v;

	if (d->scope->desc == &struct_console_font_op) {
		pitch *= (size_min(decode_field(d, "width"), FONT_WIDTH_MAX) + 7) / 8;
	}
	v = decode_buffer(d, n, pitch * count);
	if (v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	return v;
}

static const struct type font = STRUCT(console_font_op);

/*
 * Shows the struct at entry. For KD_FONT_OP_GET, KD_FONT_OP_SET_DEFAULT and unknown operations, it
 * is shown again at exit.
 */
struct value *kd_font_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = decode_at(d, &font, n);
	const struct value *op = value_member(v, "op");

	return op && (op->num == FONT_GET || op->num == FONT_SET_DEFAULT || op->num > FONT_COPY)
		       ? value_changing(d->arena, v)
		       : v;
}

struct value *kd_font_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (d->failed)
		return NULL;
	return value_change(d->arena, (struct value *)d->before, decode_at(d, &font, n));
}

/* linux/kd.h: UNI_DIRECT_BASE, UNI_DIRECT_MASK */
#define DIRECT_BASE 0xf000
#define DIRECT_MASK 0x1ff

struct value *kd_unicode(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;
	const char *text;

	if ((n & ~(uint64_t)DIRECT_MASK) != DIRECT_BASE)
		return value_hex(d->arena, n);
	text = arena_printf(d->arena, "UNI_DIRECT_BASE+%#x", (unsigned)(n & DIRECT_MASK));
	v = value_word(d->arena, text, n);
	v->text |= TEXT_PLAIN;
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads console_reads[] = {CUSTOM(kd_font_entry, STRUCT(console_font_op)),
					     CUSTOM(kd_font_exit, STRUCT(console_font_op)),
					     CUSTOM(kd_font_name, BYTES(N(32))),
					     CUSTOM(kd_font_data, BYTES(N(32768))),
					     CUSTOM_MEMORY(type_kd_entry, BYTES(N(516))),

					     CUSTOM_MEMORY(type_kd_key_string, BYTES(N(512))),
					     {0}};
