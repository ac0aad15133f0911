/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decodes the arguments of bpf(2). */
#include "decode/bpf/bpf.h"

#include <string.h>
#include <time.h>

#include "decode/core/fd.h"
#include "decode/core/read.h"

#define ATTR_SIZE_MAX 4096 /* one page; the kernel rejects larger attributes */

/* ---- linux/bpf.h ---- */

enum {
	F_BEFORE = 1 << 3,
	F_AFTER = 1 << 4,
	F_ID = 1 << 5,
};

static uint32_t attach_type(const struct decoder *d)
{
	return decode_field(d, "attach_type");
}

/* ---- links: conditions for the fields that follow the flags ---- */

static bool attaches_to_cgroup(const struct decoder *d)
{
	const char *name = xlat_name(&xlat_bpf_attach_types, attach_type(d));

	return name && !strncmp(name, "BPF_CGROUP_", strlen("BPF_CGROUP_"));
}

bool bpf_link_is_ordered_cgroup(const struct decoder *d)
{
	return attaches_to_cgroup(d) && decode_field(d, "flags") & (F_BEFORE | F_AFTER);
}

bool bpf_link_is_cgroup(const struct decoder *d)
{
	return attaches_to_cgroup(d) && !bpf_link_is_ordered_cgroup(d);
}

/* ---- single fields ---- */

struct value *decode_bpf_version(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_call(d->arena, "KERNEL_VERSION");

	v->num = n;
	value_add(v, value_uint(d->arena, (uint32_t)n >> 16));
	value_add(v, value_uint(d->arena, n >> 8 & 0xff));
	value_add(v, value_uint(d->arena, n & 0xff));
	return v;
}

struct value *decode_bpf_numa_node(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);

	v->text |= TEXT_COMMENT_READS;
	if ((uint32_t)n == UINT32_MAX)
		v->comment = "NUMA_NO_NODE";
	return v;
}

struct value *decode_bpf_map_extra(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (n != UINT64_MAX)
		return value_uint(d->arena, n);
	v = value_word(d->arena, "UINT64_MAX", n);
	v->text |= TEXT_DECIMAL | TEXT_STYLED;
	return v;
}

struct value *decode_bpf_array(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type *pointer = t->other;
	uint64_t count = 0;

	decode_length(d, &pointer->elem->len, &count);
	/*
	 * The kernel fills in the array only if the call succeeds, so show the address after a
	 * failure.
	 */
	if (count && d->failed)
		return value_addr(d->arena, n);
	return decode_number(d, pointer, n);
}

/* Shows a name in the attributes. The name ends at a NUL or at the end of the attributes. */
static struct value *name_memory(struct decoder *d, const struct type *t attr_unused, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	size_t size = (uint32_t)decode_arg_raw(d, 2), at = addr - d->scope->addr, n;
	struct value *v;

	if (!d->scope->up)
		len = size_min(len, size - size_min(at, size));
	n = strnlen((const char *)bytes, len);
	v = value_string(d->arena, bytes, n && n == len ? n - 1 : n);
	if (n && n == len)
		v->flags |= VALUE_F_MORE;
	return v;
}

const struct type_ops type_bpf_name = {.name = "name", .memory = name_memory};

static const struct value *last_before(const struct decoder *d)
{
	const struct value *last = d->before ? d->before->last : NULL;

	while (last && last->kind == VALUE_STRUCT)
		last = last->last;
	return last;
}

/*
 * Shows a string in the caller's buffer. At exit, shows as many bytes as the length that the kernel
 * has stored, but at most the size of the buffer.
 */
struct value *decode_bpf_text(struct decoder *d, const struct type *t, uint64_t addr)
{
	const struct value *told = last_before(d);
	size_t limit = d->config->string_limit, want;
	struct value *v;
	uint64_t size;
	ssize_t n;
	char *buf;

	/*
	 * Like strace 7.2, shows an address above 4 GiB in a 32-bit program even if the text is
	 * empty.
	 */
	if (!addr || (d->abi->long_size == 4 && addr >> 32) || !decode_length(d, &t->len, &size))
		return value_addr(d->arena, addr);
	if (told)
		size = size_min(size, told->num);
	want = size_min(size, size_min(limit, DECODE_BYTES_MAX) + 1);
	buf = arena_alloc(d->arena, want + 1);
	n = want ? decode_read_string(d, addr, buf, want) : 0;
	if (n < 0)
		return value_unreadable(d->arena, addr, n);
	v = value_string(d->arena, buf, size_min(n, limit));
	if (want && (size_t)n == want)
		v->flags |= VALUE_F_MORE;
	return v;
}

/* ---- members that the kernel changes; each is the last member that is shown at entry ---- */

static struct value *inner_struct(const struct type *t, const struct value *v)
{
	return t->len.field ? v->child : (struct value *)v;
}

/* Shows nothing at entry, but saves the count for decode_bpf_changed(). */
struct value *decode_bpf_until_known(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n attr_unused)
{
	struct value *v = value_pending(d->arena);

	v->num = decode_field(d, "prog_cnt");
	return v;
}

struct value *decode_bpf_changed(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct value *last = last_before(d);

	if (!last)
		return value_uint(d->arena, n);
	return value_change(d->arena, value_uint(d->arena, last->num), value_uint(d->arena, n));
}

/* ---- the attributes of a command ---- */

struct attr {
	const struct struct_desc *desc;
	uint8_t *bytes; /* ATTR_SIZE_MAX bytes; after the first `size` bytes, all are zero */
	uint32_t size;	/* size of the attributes in bytes, as the caller specified it */
	/*
	 * end offset of the last field whose condition holds; end offset of the last field that is
	 * shown
	 */
	size_t known, shown;
	bool grows; /* true if the kernel fills in one of the shown fields */
};

/*
 * Sets a->known, a->shown and a->grows. A field is shown if its condition holds and it begins
 * before a->size. A field with FIELD_F_WITH is treated as if it began where the preceding field
 * without this flag begins.
 */
static void attr_measure(struct decoder *d, struct attr *a, uint64_t addr)
{
	struct scope scope = {.up = d->scope,
			      .desc = a->desc,
			      .bytes = a->bytes,
			      .len = ATTR_SIZE_MAX,
			      .addr = addr};
	bool there = false;

	d->scope = &scope;
	for (unsigned i = 0; i < a->desc->nfields; i++) {
		const struct field *f = &a->desc->fields[i];
		const struct struct_desc *s = a->desc;
		size_t at = struct_offset(d->abi, s, i), end = at;

		if (!(f->flags & FIELD_F_WITH))
			there = at < a->size;
		if (!condition_allows(d, f->when, f->cond))
			continue;
		if (there)
			a->shown = size_max(a->shown, at + decode_size(d->abi, &f->type));
		if (there && f->flags & FIELD_F_OUT)
			a->grows = true;
		/*
		 * If the last field is a struct, use the last field of that struct, so that padding
		 * is not counted.
		 */
		if (f->type.ops == &type_struct) {
			s = f->type.desc;
			f = &s->fields[s->nfields - 1];
			end += struct_offset(d->abi, s, s->nfields - 1);
		}
		a->known = size_max(a->known, end + decode_size(d->abi, &f->type));
	}
	d->scope = scope.up;
}

static bool attr_load(struct decoder *d, const struct struct_desc *desc, uint64_t addr,
		      uint32_t size, struct attr *a)
{
	*a = (struct attr){.desc = desc, .size = size};
	if (!addr || !a->size || a->size > ATTR_SIZE_MAX || d->mode & DECODE_NO_DEREF)
		return false;
	a->bytes = arena_zalloc(d->arena, ATTR_SIZE_MAX);
	if (decode_read(d, addr, a->bytes, a->size))
		return false;
	attr_measure(d, a, addr);
	return true;
}

static bool attr_read(struct decoder *d, const struct type *t, uint64_t addr, struct attr *a)
{
	return attr_load(d, t->shape, addr, decode_arg_raw(d, 2), a);
}

static struct value *attr_fields(struct decoder *d, const struct attr *a, uint64_t addr)
{
	const struct type type = {.ops = &type_struct, .desc = a->desc};

	return decode_bytes(d, &type, addr, a->bytes, a->shown);
}

static struct value *attr_wrap(struct decoder *d, const struct type *t, struct value *inner)
{
	struct value *v = inner;

	if (t->len.field) {
		v = value_struct(d->arena);
		value_add_named(v, t->len.field, inner);
	}
	return v;
}

/*
 * Adds the bytes after the known fields to v if any of these bytes is not zero. Without -v, adds
 * only "...".
 */
static void attr_add_extra(struct decoder *d, const struct attr *a, struct value *v)
{
	size_t used = a->size;
	struct value *extra;

	while (used > a->known && !a->bytes[used - 1])
		used--;
	if (used <= a->known)
		return;
	if (!decode_full(d)) {
		v->flags |= VALUE_F_MORE;
		return;
	}
	extra = value_string(d->arena, a->bytes + a->known, a->size - a->known);
	extra->text |= TEXT_HEX_STRING;
	extra->comment = arena_printf(d->arena, "bytes %zu..%u", a->known, a->size - 1);
	value_add_named(v, "extra_data", extra);
}

struct value *decode_bpf_attr(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v;
	struct attr a;

	if (!attr_read(d, t, addr, &a))
		return value_addr(d->arena, addr);
	v = attr_wrap(d, t, attr_fields(d, &a, addr));
	attr_add_extra(d, &a, v);
	return v;
}

struct value *decode_bpf_late_entry(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct attr a;

	return attr_read(d, t, addr, &a) ? NULL : value_addr(d->arena, addr);
}

struct value *decode_bpf_growing_entry(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v, *inner;
	struct attr a;

	if (!attr_read(d, t, addr, &a))
		return value_addr(d->arena, addr);
	inner = attr_fields(d, &a, addr);
	v = attr_wrap(d, t, inner);
	if (!a.grows) {
		attr_add_extra(d, &a, v);
		return v;
	}
	inner->flags |= VALUE_F_OPEN;
	v->flags |= VALUE_F_OPEN;
	return v;
}

static void move_members(struct decoder *d, struct value *to, const struct value *from,
			 const struct value *instead)
{
	value_for_each(from, m)
	{
		struct value *copy;

		if (!m->next && instead && !strcmp(m->name, instead->name))
			return;
		copy = arena_alloc(d->arena, sizeof(*copy));
		*copy = *m;
		copy->next = NULL;
		value_add(to, copy);
	}
}

/*
 * Returns the attributes as they were shown at entry, followed by the fields that the kernel has
 * filled in.
 */
struct value *decode_bpf_growing_exit(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v, *inner, *more;
	struct attr a;

	if (!attr_read(d, t, addr, &a))
		return NULL;
	d->only_out = true;
	more = attr_fields(d, &a, addr);
	d->only_out = false;
	inner = value_struct(d->arena);
	move_members(d, inner, inner_struct(t, d->before), more->child);
	move_members(d, inner, more, NULL);
	v = attr_wrap(d, t, inner);
	attr_add_extra(d, &a, v);
	return v;
}

struct value *decode_ret_bpf(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct value *attr = d->ev->base.args[1].in;

	if (attr && attr->kind == VALUE_ADDR)
		return value_uint(d->arena, n);
	return (int64_t)n < 0 ? value_int(d->arena, n) : decode_ret_maybe_fd(d, t, n);
}

/*
 * Shows the attributes of a batch operation. At exit, the count is added if the kernel has changed
 * it: {batch={…}} => {batch={count=2}}.
 */
struct value *decode_bpf_batch_entry(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v = decode_bpf_attr(d, t, addr);

	return v->kind == VALUE_STRUCT ? value_changing(d->arena, v) : v;
}

struct value *decode_bpf_batch_exit(struct decoder *d, const struct type *t, uint64_t addr)
{
	const struct value *before = d->before ? inner_struct(t, d->before) : NULL;
	const struct value *count = before ? value_member(before, "count") : NULL;
	struct value *v, *inner;
	struct attr a;

	if (!count || !attr_read(d, t, addr, &a))
		return NULL;
	inner = value_struct(d->arena);
	v = decode_member(d, inner, a.desc, a.bytes, ATTR_SIZE_MAX, addr, "count");
	if (v->num == count->num)
		return NULL;
	return value_change(d->arena, (struct value *)d->before, attr_wrap(d, t, inner));
}

/* ---- BPF_OBJ_GET_INFO_BY_FD: information about a map, program or other object ---- */

struct value *decode_bpf_gpl(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_uint(d->arena, n & 1);
}

struct value *decode_bpf_info_before(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n)
{
	size_t size = struct_size(d->abi, &struct_bpf_prog_info);
	uint8_t *bytes = arena_zalloc(d->arena, size);

	if (!decode_full(d))
		return NULL;
	size = size_min(size, decode_field(d, "info_len"));
	if (n && size && decode_read(d, n, bytes, size) == 0)
		d->state->before[1] = value_string(d->arena, bytes, size);
	return NULL;
}

/*
 * Returns the value that a field of struct bpf_prog_info had before the call, or 0 if it is
 * unknown.
 */
static uint64_t field_before(struct decoder *d, const char *field)
{
	const struct value *before = d->state->before[1];
	struct scope scope = {.desc = &struct_bpf_prog_info};
	const struct scope *now = d->scope;
	uint64_t n;

	if (!before)
		return 0;
	scope.bytes = (const uint8_t *)before->str;
	scope.len = before->len;
	d->scope = &scope;
	n = decode_field(d, field);
	d->scope = now;
	return n;
}

/*
 * Returns the number of elements that the kernel has stored in an array. The kernel sets the field
 * to the total number of elements, but stores only those that fit into the caller's array.
 */
static uint64_t stored(struct decoder *d, const char *field)
{
	return size_min(decode_field(d, field), field_before(d, field));
}

struct value *decode_bpf_count(struct decoder *d, const struct type *t, uint64_t n)
{
	return value_change(d->arena, value_uint(d->arena, field_before(d, t->text)),
			    value_uint(d->arena, n));
}

struct value *decode_bpf_address(struct decoder *d, const struct type *t, uint64_t n)
{
	return value_change(d->arena, value_addr(d->arena, field_before(d, t->text)),
			    value_addr(d->arena, n));
}

struct value *decode_bpf_map_ids(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type ids = PTR64(ARRAY(U32, N(stored(d, "nr_map_ids"))));

	return ids.elem->len.n && d->failed ? value_addr(d->arena, n) : decode_number(d, &ids, n);
}

struct value *decode_bpf_xlated(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t count = stored(d, "xlated_prog_len") / sizeof(uint64_t);

	if (count && d->failed)
		return value_addr(d->arena, n);
	return decode_bpf_program(d, BPF_INSN_EXTENDED, n, count);
}

#define SECOND 1000000000

/* Shows a time in nanoseconds since boot, followed by its date. */
struct value *decode_bpf_load_time(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);
	int64_t started;

	v->text |= TEXT_COMMENT_READS;
	if (!fact_boot_time(d->facts, &started))
		return v;
	v->extra = value_date(
		d->arena, (int64_t)(n / SECOND) + (started + (int64_t)(n % SECOND)) / SECOND, 0, 0);
	return v;
}

static const struct struct_desc *info_desc(const struct decoder *d, int fd)
{
	struct fact_answer path;

	if (fact_fd_path(d->facts, d->tid, fd, &path) < 0)
		return NULL;
	if (!strcmp(path.bytes, "anon_inode:bpf-map"))
		return &struct_bpf_map_info;
	return strcmp(path.bytes, "anon_inode:bpf-prog") ? NULL : &struct_bpf_prog_info;
}

struct value *decode_bpf_info(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct struct_desc *desc =
		decode_full(d) ? info_desc(d, (int)decode_field(d, "bpf_fd")) : NULL;
	struct attr a;
	struct value *v;

	if (!desc || !attr_load(d, desc, n, decode_field(d, "info_len"), &a))
		return value_addr(d->arena, n);
	v = attr_fields(d, &a, n);
	attr_add_extra(d, &a, v);
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads bpf_reads[] = {
	CUSTOM(decode_bpf_attr, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_late_entry, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_growing_entry, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_growing_exit, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_batch_entry, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_batch_exit, {.ops = &type_struct, .flags = TYPE_F_SIZED, .len = A2}),
	CUSTOM(decode_bpf_insns, TYPE(type_array, .elem = &(const struct type)U64)),
	CUSTOM(decode_bpf_until_known, BYTES(N(4096))),
	CUSTOM(decode_bpf_info_before, BYTES(FIELD(info_len))),
	CUSTOM(decode_bpf_info, BYTES(FIELD(info_len))),
	CUSTOM(decode_bpf_info, STRUCT(bpf_prog_info)),
	CUSTOM(decode_bpf_map_ids, ARRAY(U32, FIELD(nr_map_ids))),
	CUSTOM(decode_bpf_xlated, BYTES(FIELD(xlated_prog_len))),
	CUSTOM(decode_bpf_array, ARRAY(U32, FIELD(prog_cnt))),
	{0}};
