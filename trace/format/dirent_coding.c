/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/dirent_coding.h"

#include <string.h>

/*
 * Offsets of the members of struct linux_dirent64 (getdents(2)), and the alignment of entries, in
 * bytes.
 */
enum { INO = 0, OFF = 8, RECLEN = 16, TYPE = 18, NAME = 19, ALIGN = 8 };

static uint64_t number_at(const uint8_t *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static size_t length_of(const uint8_t *entry)
{
	return entry[RECLEN] | (size_t)entry[RECLEN + 1] << 8;
}

/* Returns the length of an entry whose name has n bytes, including the NUL. */
static size_t length_with(size_t n)
{
	return (NAME + n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

/* Returns the size in bytes of an entry's name, including the NUL, which must exist. */
static size_t name_size(const uint8_t *entry)
{
	return strlen((const char *)entry + NAME) + 1;
}

/*
 * Returns the number of entries, or 0 if the bytes are not entries or if the last entry is
 * incomplete.
 */
static size_t count(const uint8_t *bytes, size_t n)
{
	size_t entries = 0, length;

	for (size_t at = 0; at < n; entries++, at += length) {
		length = n - at > NAME ? length_of(bytes + at) : 0;
		if (length <= NAME || length > n - at ||
		    !memchr(bytes + at + NAME, '\0', length - NAME) ||
		    length != length_with(name_size(bytes + at)))
			return 0;
	}
	return entries;
}

bool dirents_put(struct strbuf *out, const uint8_t *bytes, size_t n)
{
	const uint8_t *end = bytes + n, *e;
	size_t entries = count(bytes, n);
	uint64_t last = 0;

	if (!entries)
		return false;
	put_uleb(out, entries);
	for (e = bytes; e < end; last = number_at(e + INO), e += length_of(e))
		put_signed(out, (int64_t)(number_at(e + INO) - last));
	last = 0;
	for (e = bytes; e < end; last = number_at(e + OFF), e += length_of(e))
		put_uint(out, number_at(e + OFF) - last, 8);
	for (e = bytes; e < end; e += length_of(e))
		strbuf_putc(out, (char)e[TYPE]);
	for (e = bytes; e < end; e += length_of(e))
		strbuf_add(out, (const char *)e + NAME, name_size(e));
	return true;
}

/*
 * Returns the total size in bytes of the decoded entries. Their names are the first strings in the
 * `left` bytes at `names`. Returns 0 if the names are invalid or if the size exceeds max.
 */
static size_t size_of(const uint8_t *names, size_t left, uint64_t entries, size_t max)
{
	size_t size = 0;

	for (uint64_t i = 0; i < entries; i++) {
		const uint8_t *nul = left ? memchr(names, '\0', left) : NULL;
		size_t n = nul ? (size_t)(nul + 1 - names) : 0;

		if (!n || length_with(n) > size_min(max - size, UINT16_MAX))
			return 0;
		size += length_with(n);
		names += n;
		left -= n;
	}
	return size;
}

const uint8_t *dirents_take(struct cursor *in, struct arena *arena, size_t max, size_t *n)
{
	uint64_t entries = cursor_uleb(in), ino = 0, off = 0;
	struct cursor inos = *in, offs, types, names;
	uint8_t *bytes, *e;

	/* The inode of each entry takes at least one byte. */
	if (in->bad || !entries || entries > cursor_left(in))
		return NULL;
	for (uint64_t i = 0; i < entries; i++)
		take_signed(in);
	offs = *in;
	cursor_skip(in, 8 * entries);
	types = *in;
	cursor_skip(in, entries);
	names = *in;
	*n = in->bad ? 0 : size_of(names.p, cursor_left(&names), entries, max);
	if (!*n)
		return NULL;
	bytes = arena_zalloc(arena, *n);
	for (e = bytes; e < bytes + *n; e += length_of(e)) {
		size_t name = strlen((const char *)names.p) + 1, length = length_with(name);

		ino += (uint64_t)take_signed(&inos);
		off += cursor_uint(&offs, 8);
		memcpy(e + INO, &ino, sizeof(ino));
		memcpy(e + OFF, &off, sizeof(off));
		e[RECLEN] = (uint8_t)length;
		e[RECLEN + 1] = (uint8_t)(length >> 8);
		e[TYPE] = (uint8_t)cursor_uint(&types, 1);
		memcpy(e + NAME, cursor_skip(&names, name), name);
	}
	return bytes;
}
