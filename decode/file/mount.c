/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/file/mount.h"

#include <string.h>

/* ---- struct mount_attr of mount_setattr(2) ---- */

#define ATTR_IDMAP 0x100000 /* linux/mount.h: MOUNT_ATTR_IDMAP */

struct value *decode_mount_userns(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t attrs = decode_field(d, "attr_set") | decode_field(d, "attr_clr");

	if (n <= INT32_MAX && attrs & ATTR_IDMAP)
		return decode_fd(d, (int)n);
	return value_uint(d->arena, n);
}

/* ---- fsconfig(2) ---- */

#define BINARY_MAX (1 << 20) /* the kernel's limit on the size of the value */

struct value *decode_fsconfig_binary(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	int32_t len = decode_arg_raw(d, 4);
	struct value *v;

	if (len < 0 || len > BINARY_MAX)
		return value_addr(d->arena, n);
	v = decode_buffer(d, n, len);
	if (v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	return v;
}

/* ---- statmount(2), listmount(2) ---- */

struct value *decode_mount_id(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (n == UINT64_MAX) /* LSMT_ROOT of linux/mount.h */
		return value_word(d->arena, "LSMT_ROOT", n);
	return value_hex(d->arena, n);
}

struct value *decode_id_list(struct decoder *d, const struct type *t, uint64_t n)
{
	struct type ids = ARRAY(HEX64, A0);
	uint64_t room = 0;

	decode_length(d, &t->len, &room);
	if (room && d->failed)
		return value_addr(d->arena, n);
	ids.len = (struct length)N(
		size_min(d->failed ? 0 : d->ev->base.ret, size_min(room, UINT32_MAX)));
	return decode_number(d, &ids, n);
}
const struct type_ops type_id_list = {
	.name = "id_list", .number = decode_id_list, .fetch = decode_id_list};

/*
 * Returns the strings that follow struct statmount, from the given offset on. Sets *len to the
 * number of bytes. Returns NULL if the offset is beyond the end of the strings or if the strings
 * cannot be read.
 */
static const char *statmount_strings(struct decoder *d, uint64_t offset, size_t *len)
{
	size_t head = struct_size(d->abi, d->scope->desc);
	uint64_t size = decode_field(d, "size");
	uint8_t *bytes;

	if (size > decode_arg_raw(d, 2) || size <= head || offset >= size - head ||
	    size > DECODE_BYTES_MAX)
		return NULL;
	*len = size - head;
	bytes = decode_read_new(d, d->scope->addr + head, *len, NULL);
	*len -= offset;
	return bytes ? (const char *)bytes + offset : NULL;
}

/* Shows the string at `text`. If the len bytes contain no NUL, the last byte is not shown. */
static struct value *first_string(struct decoder *d, const char *text, size_t len)
{
	size_t n = strnlen(text, len);
	struct value *v = value_string(d->arena, text, n == len ? n - 1 : n);

	if (n == len)
		v->flags |= VALUE_F_MORE;
	return v;
}

struct value *decode_statmount_string(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	size_t len;
	const char *text = statmount_strings(d, n, &len);

	return text ? first_string(d, text, len) : value_hex(d->arena, n);
}

struct value *decode_statmount_strings(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_array(d->arena);
	uint64_t count = 0;
	size_t len, used;
	const char *text = statmount_strings(d, n, &len);

	if (!text)
		return value_hex(d->arena, n);
	decode_length(d, &t->len, &count);
	for (uint64_t i = 0; i < count; i++) {
		if (!decode_full(d) && i == d->config->string_limit) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		if (!len) {
			value_add(v, value_plain(d->arena, "???"));
			break;
		}
		value_add(v, first_string(d, text, len));
		used = size_min(strnlen(text, len) + 1, len);
		text += used;
		len -= used;
	}
	return v;
}

struct value *decode_statmount(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type type = STRUCT(statmount);
	size_t size = struct_size(d->abi, type.desc);
	uint64_t given = decode_arg_raw(d, 2);
	uint8_t *bytes;

	if (!n || given < sizeof(uint32_t) || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	bytes = arena_zalloc(d->arena, size);
	if (decode_read(d, n, bytes, size_min(given, size)))
		return value_addr(d->arena, n);
	return decode_bytes(d, &type, n, bytes, size);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads mount_reads[] = {
	CUSTOM(decode_fsconfig_binary, BYTES(A4)),
	CUSTOM(decode_statmount, BYTES(A2)),
	CUSTOM(decode_id_list, TYPE(type_array, .elem = &(const struct type)U64)),
	{0}};
