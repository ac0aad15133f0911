/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* getdents(2). Malformed entries are shown as strace 7.2 shows them. */
#include <string.h>

#include "decode/file/file.h"
#include "decode/core/read.h"

#define NAME_SIZE 256 /* NAME_MAX of limits.h, plus the NUL */

/* The layout of struct linux_dirent64 (linux/dirent.h) or struct linux_dirent (getdents(2)). */
struct dirent_layout {
	bool is64; /* true if d_type precedes the name, false if d_type is the last byte of the
		      entry */
	unsigned word, head;
};

struct dirent_head {
	uint64_t ino, off;
	uint16_t reclen;
	uint8_t type;
};

/* Reads the members that precede the name. Returns 0 or -errno. */
static int read_head(struct decoder *d, const struct dirent_layout *l, uint64_t addr,
		     struct dirent_head *e)
{
	uint8_t bytes[2 * 8 + 3];
	int err = decode_read(d, addr, bytes, l->head);

	*e = (struct dirent_head){0};
	if (err < 0)
		return err;
	memcpy(&e->ino, bytes, l->word);
	memcpy(&e->off, bytes + l->word, l->word);
	memcpy(&e->reclen, bytes + 2 * l->word, sizeof(e->reclen));
	if (l->is64)
		e->type = bytes[l->head - 1];
	return 0;
}

static struct value *entry_type(struct decoder *d, uint64_t type)
{
	return value_enum(d->arena, &xlat_dirent_types, type);
}

/*
 * Shows the directory entry of `avail` bytes at addr. `odd` is a comment on the entry's d_reclen,
 * or NULL.
 */
static struct value *entry(struct decoder *d, const struct dirent_layout *l, uint64_t addr,
			   const struct dirent_head *e, size_t avail, const char *odd)
{
	struct value *v = value_struct(d->arena), *len;
	size_t rest = avail - l->head;
	uint8_t type;

	value_add_named(v, "d_ino", value_uint(d->arena, e->ino));
	value_add_named(v, "d_off", value_uint(d->arena, e->off));
	len = value_add_named(v, "d_reclen", value_uint(d->arena, e->reclen));
	len->comment = odd;
	if (l->is64) {
		value_add_named(v, "d_type", entry_type(d, e->type));
		if (rest)
			value_add_named(v, "d_name",
					decode_name(d, addr + l->head, size_min(rest, NAME_SIZE)));
		return v;
	}
	if (rest > 1)
		value_add_named(v, "d_name",
				decode_name(d, addr + l->head, size_min(rest - 1, NAME_SIZE)));
	if (!rest)
		return v;
	if (decode_read(d, addr + avail - 1, &type, 1) < 0)
		value_add_named(v, "d_type", value_addr(d->arena, addr + avail - 1));
	else
		value_add_named(v, "d_type", entry_type(d, type));
	return v;
}

/* Shows the n bytes that follow the last entry. They are too few for another entry. */
static struct value *leftover(struct decoder *d, uint64_t addr, size_t n)
{
	struct value *v = decode_buffer(d, addr, n);

	if (v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	return v;
}

static struct value *dirents(struct decoder *d, const struct dirent_layout *l, uint64_t addr)
{
	uint64_t len = d->ev->base.ret, at = 0;
	struct value *list = value_array(d->arena), *v;
	bool full = decode_full(d), more = false;
	const char *odd = NULL;
	struct dirent_head e;
	unsigned count = 0;
	size_t avail;
	int err;

	if (d->mode & DECODE_NO_DEREF || len > (uint32_t)decode_arg_raw(d, 2))
		return value_addr(d->arena, addr);
	decode_read_range(d, addr, len);
	while (at < len && !odd && count < DECODE_ELEMS_MAX) {
		avail = len - at;
		more = true;
		if (avail < l->head) {
			v = full ? leftover(d, addr + at, avail) : NULL;
			if (full && !count)
				return v;
			if (full)
				value_add(list, v);
			break;
		}
		err = read_head(d, l, addr + at, &e);
		if (err < 0) {
			if (full && !count)
				return value_unreadable(d->arena, addr, err);
			if (full)
				value_add(list, value_more_at(d->arena, addr + at, err));
			break;
		}
		count++;
		if (e.reclen < l->head)
			odd = arena_printf(d->arena, "%u bytes underflow", l->head - e.reclen);
		else if (e.reclen > avail)
			odd = arena_printf(d->arena, "%zu bytes overflow", e.reclen - avail);
		avail = size_max(l->head, size_min(avail, e.reclen));
		if (full)
			value_add(list, entry(d, l, addr + at, &e, avail, odd));
		at += avail;
		more = at < len;
	}
	if (full)
		return list;
	v = value_addr(d->arena, addr);
	v->comment = arena_printf(d->arena, "%u%s entries", count, more ? "+" : "");
	if (odd)
		v->comment = arena_printf(d->arena, "d_reclen %s */ /* %s", odd, v->comment);
	return v;
}

struct value *decode_dirents(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned word = d->abi->klong_size;
	const struct dirent_layout layout = {.word = word, .head = 2 * word + 2};

	return dirents(d, &layout, n);
}
const struct type_ops type_dirents = {
	.name = "dirents", .number = decode_dirents, .fetch = decode_dirents};

struct value *decode_dirents64(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct dirent_layout layout = {.is64 = true, .word = 8, .head = 19};

	return dirents(d, &layout, n);
}
const struct type_ops type_dirents64 = {
	.name = "dirents64", .number = decode_dirents64, .fetch = decode_dirents64};
