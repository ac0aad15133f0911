/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types that are numbers. */
#include <string.h>

#include "decode/core/decode.h"
#include "decode/core/note.h"
#include "decode/core/cwd.h"

static struct value *number_value(struct decoder *d, const struct type *t, enum value_kind kind,
				  uint64_t n)
{
	struct value *v = value_new(d->arena, kind, n);

	v->width = decode_width(d->abi, t->width);
	if (t->flags & TYPE_F_DATE)
		v->extra = value_date(d->arena, n, 0, 0);
	return v;
}

static struct value *int_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return number_value(d, t, VALUE_INT, n);
}

static struct value *uint_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return number_value(d, t, VALUE_UINT, n);
}

static struct value *hex_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return number_value(d, t, VALUE_HEX, n);
}

static struct value *addr_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return number_value(d, t, VALUE_ADDR, n);
}

static struct value *enum_number(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = number_value(d, t, VALUE_ENUM, n);

	v->table = t->xlat;
	if (t->flags & TYPE_F_DECIMAL)
		v->text |= TEXT_DECIMAL;
	return v;
}

static struct value *flags_number(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = number_value(d, t, VALUE_FLAGS, n);

	v->table = t->xlat;
	if (t->flags & TYPE_F_ZERO)
		v->flags |= VALUE_F_ZERO_NAMED;
	return v;
}

static struct value *uid_number(struct decoder *d, const struct type *t, uint64_t n)
{
	/* (uid_t)-1 means "no change" or "nobody", and is shown as -1. */
	if (n == (t->width == W16 ? 0xffff : 0xffffffff))
		return number_value(d, t, VALUE_INT, (uint64_t)-1);
	return number_value(d, t, VALUE_UINT, n);
}

static struct value *signo_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_signo(d, (int)n);
}

static struct value *errno_number(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = number_value(d, t, VALUE_ENUM, n);

	if (!n)
		v->kind = VALUE_INT;
	else
		v->table = &xlat_errnos;
	return v;
}

static struct value *failure_number(struct decoder *d, const struct type *t, uint64_t n)
{
	int64_t status = (int64_t)n;
	const char *name = status < 0 ? xlat_name(&xlat_errnos, -n) : NULL;
	struct value *v;

	if (!name)
		return number_value(d, t, VALUE_INT, n);
	v = value_word(d->arena, arena_printf(d->arena, "-%s", name), n);
	v->flags |= VALUE_F_SIGNED;
	return v;
}

static struct value *ret_named_number(struct decoder *d, const struct type *t, uint64_t n)
{
	const char *name = xlat_name(t->xlat, n);

	if (name)
		decode_note(d, value_plain(d->arena, name));
	return value_int(d->arena, (int64_t)n);
}

static struct value *dev_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_device(d->arena, n);
}

static struct value *umode_value(struct decoder *d, uint64_t mode)
{
	struct value *v = value_new(d->arena, VALUE_OCT, mode);

	v->text = TEXT_OCTAL;
	return v;
}

#define FILE_TYPE 0170000 /* S_IFMT, inode(7) */

static struct value *mode_bits(struct decoder *d, uint64_t mode)
{
	static const struct xlat_entry bits[] = {
		{04000, "S_ISUID"}, {02000, "S_ISGID"}, {01000, "S_ISVTX"}};
	static const char *const types[16] = {
		[1] = "S_IFIFO", [2] = "S_IFCHR",  [4] = "S_IFDIR",  [6] = "S_IFBLK",
		[8] = "S_IFREG", [10] = "S_IFLNK", [12] = "S_IFSOCK"};
	const char *type = types[(mode & FILE_TYPE) >> 12];
	struct value *v = value_new(d->arena, VALUE_OR, mode);

	v->text |= TEXT_OCTAL;
	if (mode & FILE_TYPE && !type)
		return umode_value(d, mode);
	if (type)
		value_add(v, value_word(d->arena, type, mode & FILE_TYPE));
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (mode & bits[i].val)
			value_add(v, value_word(d->arena, bits[i].name, bits[i].val));
	value_add(v, umode_value(d, mode & ~(07000ull | (type ? FILE_TYPE : 0))));
	return v;
}

static struct value *mode_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return mode_bits(d, n);
}

static struct value *umode_number(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = umode_value(d, n);

	v->width = decode_width(d->abi, t->width);
	return v;
}

static struct value *fd_number(struct decoder *d, const struct type *t, uint64_t n)
{
	/* AT_FDCWD is -100 in every ABI, see openat(2). */
	if (t->flags & TYPE_F_AT && (int)n == -100)
		return decode_at_fdcwd(d);
	return decode_fd(d, (int)n);
}

static struct value *fn_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return t->fn(d, t, n);
}

static struct value *none_number(struct decoder *d attr_unused, const struct type *t attr_unused,
				 uint64_t n attr_unused)
{
	return NULL;
}

#define NUMBER(n) const struct type_ops type_##n = {.name = #n, .number = n##_number}
NUMBER(int);
NUMBER(uint);
NUMBER(hex);
NUMBER(addr);
NUMBER(enum);
NUMBER(flags);
NUMBER(uid);
NUMBER(signo);
NUMBER(errno);
NUMBER(failure);
const struct type_ops type_ret_named = {
	.name = "ret_named", .number = ret_named_number, .notes = true};
NUMBER(dev);
NUMBER(mode);
NUMBER(umode);
NUMBER(fd);
NUMBER(fn);
NUMBER(none);
