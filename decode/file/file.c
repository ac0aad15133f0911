/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/file/file.h"

#include <string.h>

#define FILE_TYPE  0170000 /* inode(7) */
#define FILE_CHAR  0020000
#define FILE_BLOCK 0060000

static bool is_device(uint64_t mode)
{
	return (mode & FILE_TYPE) == FILE_CHAR || (mode & FILE_TYPE) == FILE_BLOCK;
}

/* ---- struct file_handle of open_by_handle_at(2) ---- */

#define HANDLE_MAX 128 /* linux/exportfs.h: MAX_HANDLE_SZ */

struct handle_head {
	uint32_t bytes;
	int32_t type;
};

static void add_handle(struct decoder *d, struct value *to, const struct handle_head *head,
		       uint64_t addr)
{
	size_t n = size_min(head->bytes, HANDLE_MAX);
	uint8_t *bytes = decode_read_new(d, addr + sizeof(*head), n, NULL);
	struct value *v;

	value_add_named(to, "handle_type", value_int(d->arena, head->type));
	if (!bytes) {
		value_add_named(to, "f_handle", value_plain(d->arena, "???"));
		return;
	}
	v = value_add_named(to, "f_handle", value_string(d->arena, bytes, n));
	v->flags |= n < head->bytes ? VALUE_F_MORE : 0;
	v->text |= TEXT_HEX_STRING;
}

/*
 * Reads the members that precede the bytes of the handle. If this returns false, only the address
 * is shown.
 */
static bool read_head(struct decoder *d, uint64_t addr, struct handle_head *head)
{
	return addr && !(d->mode & DECODE_NO_DEREF) && !decode_read(d, addr, head, sizeof(*head));
}

struct value *decode_file_handle(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct handle_head head;
	struct value *v;

	if (!read_head(d, n, &head))
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	value_add_named(v, "handle_bytes", value_uint(d->arena, head.bytes));
	add_handle(d, v, &head, n);
	return v;
}
const struct type_ops type_file_handle = {
	.name = "file_handle", .number = decode_file_handle, .fetch = decode_file_handle};

struct value *decode_file_handle_entry(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	struct handle_head head;
	struct value *v;

	if (!read_head(d, n, &head))
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	value_add_named(v, "handle_bytes", value_uint(d->arena, head.bytes));
	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_file_handle_exit(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	const struct value *given = d->before ? value_member(d->before, "handle_bytes") : NULL;
	struct handle_head head;
	struct value *v, *bytes;

	if (!read_head(d, n, &head))
		return value_addr(d->arena, n);
	v = value_struct(d->arena);
	bytes = value_uint(d->arena, head.bytes);
	if (given && d->failed && d->ev->base.ret != EOVERFLOW)
		bytes->num = given->num;
	else if (given)
		bytes = value_change(d->arena, value_uint(d->arena, given->num), bytes);
	value_add_named(v, "handle_bytes", bytes);
	if (!d->failed)
		add_handle(d, v, &head, n);
	return v;
}

/*
 * Returns true if the handle can be read. If it cannot be read, the argument with the mount id is
 * also shown as an address.
 */
static bool has_handle(struct decoder *d)
{
	struct handle_head head;

	return read_head(d, decode_arg_raw(d, 2), &head);
}

struct value *decode_handle_mount_entry(struct decoder *d, const struct type *t attr_unused,
					uint64_t n)
{
	return has_handle(d) ? NULL : value_addr(d->arena, n);
}

struct value *decode_handle_mount_exit(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	const struct type id = PTR(INT);

	return d->failed || !has_handle(d) ? value_addr(d->arena, n) : decode_number(d, &id, n);
}

/* ---- struct stat ---- */

static const struct struct_desc *stat_desc(const struct decoder *d, const struct type *t)
{
	if (t->ops == &type_oldstat)
		return &struct_oldstat;
	if (d->abi->generic_stat)
		return &struct_stat_generic;
	if (!d->abi->compat)
		return &struct_stat_64;
	return t->ops == &type_stat64 ? &struct_stat64_32 : &struct_stat_32;
}

struct stat_bytes {
	const struct struct_desc *desc;
	const uint8_t *bytes;
	size_t len;
	uint64_t addr;
};

static struct value *stat_member(struct decoder *d, struct value *to, const struct stat_bytes *s,
				 const char *name)
{
	return decode_member(d, to, s->desc, s->bytes, s->len, s->addr, name);
}

static struct value *stat_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	static const char *const times[][2] = {{"st_atime", "st_atime_nsec"},
					       {"st_mtime", "st_mtime_nsec"},
					       {"st_ctime", "st_ctime_nsec"}};
	struct stat_bytes s = {.desc = stat_desc(d, t), .addr = addr};
	struct value *v, *mode, *sec, *nsec;
	const char *size = "st_size";
	int err;

	if (d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	s.len = struct_size(d->abi, s.desc);
	s.bytes = decode_read_new(d, addr, s.len, &err);
	if (!s.bytes)
		return value_unreadable(d->arena, addr, err);
	v = value_struct(d->arena);
	if (d->config->reads_only)
		return v;
	if (decode_full(d)) {
		stat_member(d, v, &s, "st_dev");
		stat_member(d, v, &s, "st_ino");
	}
	mode = stat_member(d, v, &s, "st_mode");
	if (mode && is_device(mode->num))
		size = "st_rdev";
	if (decode_full(d)) {
		stat_member(d, v, &s, "st_nlink");
		stat_member(d, v, &s, "st_uid");
		stat_member(d, v, &s, "st_gid");
		if (!stat_member(d, v, &s, "st_blksize"))
			value_add_named(v, "st_blksize", value_uint(d->arena, 0));
		if (!stat_member(d, v, &s, "st_blocks"))
			value_add_named(v, "st_blocks", value_uint(d->arena, 0));
	}
	stat_member(d, v, &s, size);
	if (!decode_full(d)) {
		v->flags |= VALUE_F_MORE;
		return v;
	}
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		sec = stat_member(d, v, &s, times[i][0]);
		nsec = stat_member(d, v, &s, times[i][1]);
		if (sec)
			sec->extra = value_date(d->arena, sec->num, nsec ? nsec->num : 0, 9);
	}
	return v;
}

const struct type_ops type_stat = {.name = "stat", .fetch = stat_fetch};
const struct type_ops type_stat64 = {.name = "stat64", .fetch = stat_fetch};
const struct type_ops type_oldstat = {.name = "oldstat", .fetch = stat_fetch};

/* ---- statfs64(2) ---- */

struct value *decode_statfs64(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type statfs64 = STRUCT(statfs64_32);

	if (decode_arg_raw(d, 1) != struct_size(d->abi, &struct_statfs64_32))
		return value_addr(d->arena, n);
	return decode_at(d, &statfs64, n);
}

/* ---- utimensat(2) ---- */

#define UTIME_NOW_NSEC	0x3fffffff /* in linux/stat.h of the C library; see utimensat(2) */
#define UTIME_OMIT_NSEC 0x3ffffffe

static struct value *utime_memory(struct decoder *d, const struct type *t, uint64_t addr,
				  const uint8_t *bytes, size_t len)
{
	struct type timespec = STRUCT_DATE(timespec);
	struct value *v, *word;
	const struct value *nsec;

	timespec.desc = t->desc;
	v = decode_bytes(d, &timespec, addr, bytes, len);
	nsec = value_member(v, "tv_nsec");
	if (!nsec || (nsec->num != UTIME_NOW_NSEC && nsec->num != UTIME_OMIT_NSEC))
		return v;
	word = value_word(d->arena, nsec->num == UTIME_NOW_NSEC ? "UTIME_NOW" : "UTIME_OMIT",
			  nsec->num);
	v->comment = NULL;
	word->text |= TEXT_PLAIN;
	word->extra = v;
	return word;
}

const struct type_ops type_utime = {.name = "utime", .memory = utime_memory};

/* ---- directories ---- */

static uint64_t load(const uint8_t *bytes, unsigned width)
{
	uint64_t n = 0;

	memcpy(&n, bytes, width);
	return n;
}

struct value *decode_dup_flags(struct decoder *d, const struct type *t, uint64_t n)
{
	struct xlat *table = arena_alloc(d->arena, sizeof(*table));
	const uint64_t known = abi_open_flags(d->abi, n);
	struct value *v, *own;

	*table = xlat_open_flags;
	table->unknown = "O_???";
	v = value_flags(d->arena, table, known);
	v->width = t->width;
	if (known == n)
		return v;
	/*
	 * In this ABI, at least one of these flags has another value than in the table. Keep the
	 * original value for -X raw.
	 */
	own = value_new(d->arena, VALUE_OR, n);
	own->width = t->width;
	own->text |= TEXT_ONE_WORD;
	value_add(own, v);
	return own;
}
const struct type_ops type_dup_flags = {.name = "dup_flags", .number = decode_dup_flags};

struct value *decode_cwd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!n)
		return value_addr(d->arena, n);
	v = decode_name(d, n, d->ev->base.ret);
	if (v->kind == VALUE_STRING)
		v->flags |= VALUE_F_PATH;
	return v;
}

#define OLD_NAME_MAX 256

struct value *decode_old_dirent(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned word = d->abi->long_size, name_at = 2 * word + 2;
	uint8_t head[3 * 8]; /* large enough for a struct old_linux_dirent with d_name[1] */
	struct value *v;
	uint64_t len;

	if (d->mode & DECODE_NO_DEREF || !d->ev->base.ret || d->failed ||
	    decode_read(d, n, head, 3 * word) < 0)
		return value_addr(d->arena, n);
	len = load(head + 2 * word, 2);
	v = value_struct(d->arena);
	value_add_named(v, "d_ino", value_uint(d->arena, load(head, word)));
	value_add_named(v, "d_off", value_uint(d->arena, load(head + word, word)));
	value_add_named(v, "d_reclen", value_uint(d->arena, len));
	value_add_named(v, "d_name", decode_string(d, n + name_at, size_min(len, OLD_NAME_MAX)));
	return v;
}

/* ---- signal sets in registers ---- */

struct value *decode_mask(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t mask = n;

	return decode_sigset(d, (const uint8_t *)&mask, sizeof(mask));
}
const struct type_ops type_mask = {.name = "mask", .number = decode_mask};

/* ---- offsets ---- */

/*
 * Reads the offset at address n, and returns it as [offset]. If the offset cannot be read, returns
 * the address.
 */
static struct value *offset_at(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v;
	uint64_t at = 0;

	if (!n || d->mode & DECODE_NO_DEREF || decode_read(d, n, &at, t->len.n) < 0)
		return value_addr(d->arena, n);
	v = value_array(d->arena);
	value_add(v, value_uint(d->arena, at));
	return v;
}

struct value *decode_offset_entry(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = offset_at(d, t, n);

	/* A call with a length of 0 does not change the offset, so add nothing at exit. */
	if (v->kind == VALUE_ARRAY && decode_arg_raw(d, 3))
		v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *decode_offset_exit(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *now = offset_at(d, t, n), *v, *offset;

	if (now->kind != VALUE_ARRAY)
		return now;
	v = value_array(d->arena);
	offset = now->child;
	if (d->before && d->before->child) {
		struct value *was = value_uint(d->arena, d->before->child->num);

		if (d->failed || !d->ev->base.ret || !decode_arg_raw(d, 3)) {
			offset = was; /* no bytes were transferred, so the offset is unchanged */
		} else {
			offset = value_change(d->arena, was, offset);
			offset->text |= TEXT_TWICE;
		}
	}
	value_add(v, offset);
	return v;
}

struct value *decode_llseek_offset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_int(d->arena, n << 32 | decode_arg_raw(d, 2));
}

/* ---- getxattr(2) ---- */

static struct value *xattr_filled(struct decoder *d, uint64_t addr, uint64_t size, bool is_text)
{
	static const struct type text = NULBYTES(RET), bytes = BYTES(RET);

	if (!size || d->failed)
		return value_addr(d->arena, addr);
	return decode_at(d, is_text ? &text : &bytes, addr);
}

/*
 * If the buffer's size is 0, shows its address at entry, because the call then only returns a size.
 * Otherwise shows nothing at entry, because the buffer is shown at exit.
 */
static struct value *xattr_request(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t size = 0;

	decode_length(d, &t->len, &size);
	return size ? NULL : value_addr(d->arena, n);
}
const struct type_ops type_xattr_request = {
	.name = "xattr_request", .number = xattr_request, .both = true};

static struct value *decode_xattr_value(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t size = 0;

	decode_length(d, &t->len, &size);
	return xattr_filled(d, n, size, true);
}
const struct type_ops type_xattr_value = {.name = "xattr_value",
					  .number = decode_xattr_value,
					  .fetch = decode_xattr_value,
					  .both = true};

struct value *decode_xattr_list(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t size = 0;

	decode_length(d, &t->len, &size);
	return xattr_filled(d, n, size, false);
}
const struct type_ops type_xattr_list = {
	.name = "xattr_list", .number = decode_xattr_list, .fetch = decode_xattr_list};

struct value *decode_xattr_arg(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return xattr_filled(d, n, decode_field(d, "size"), true);
}

static const struct type xattr_args = STRUCT_GROWS(xattr_args_filled, 16, A5);

struct value *decode_xattr_args_entry(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	struct value *v = decode_at(d, &xattr_args, n);
	const struct value *size = v->kind == VALUE_STRUCT ? value_member(v, "size") : NULL;

	return size && size->num ? NULL : v;
}

struct value *decode_xattr_args_exit(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	return decode_at(d, &xattr_args, n);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads file_reads[] = {CUSTOM(decode_file_handle, BYTES(N(HANDLE_MAX + 8))),
					  CUSTOM(decode_file_handle_entry, BYTES(N(8))),
					  CUSTOM(decode_file_handle_exit, BYTES(N(HANDLE_MAX + 8))),
					  CUSTOM_ARG(decode_handle_mount_entry, 2, BYTES(N(8))),
					  CUSTOM(decode_handle_mount_exit, INT),
					  CUSTOM_ARG(decode_handle_mount_exit, 2, BYTES(N(8))),
					  CUSTOM(decode_cwd, BYTES(RET)),
					  CUSTOM(decode_dirents, BYTES(RET)),
					  CUSTOM(decode_dirents64, BYTES(RET)),
					  CUSTOM(decode_old_dirent, BYTES(N(4096))),
					  CUSTOM(decode_statfs64, STRUCT(statfs64_32)),
					  CUSTOM(decode_xattr_args_entry, STRUCT(xattr_args)),
					  CUSTOM(decode_xattr_args_exit, STRUCT(xattr_args)),

					  CUSTOM_MEMORY(type_stat, BYTES(N(144))),
					  CUSTOM_MEMORY(type_stat64, BYTES(N(144))),
					  CUSTOM_MEMORY(type_oldstat, BYTES(N(64))),
					  /*
					   * The struct is extensible. The caller passes its size in
					   * the last argument.
					   */
					  CUSTOM(decode_xattr_args_entry, BYTES(A5)),
					  CUSTOM(decode_xattr_args_exit, BYTES(A5)),
					  {0}};
