/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types that are stored in the tracee's memory: strings, buffers, arrays, pointers. */
#include <limits.h>
#include <string.h>

#include "decode/core/decode.h"
#include "decode/core/cwd.h"
#include "decode/core/read.h"

static bool is_number(const struct type *t)
{
	return !t->ops->memory && !t->ops->fetch;
}

/*
 * If v is an address that is shown because the memory there could not be read, stores the errno of
 * the read in v. Returns v, which may be NULL.
 */
static struct value *with_reason(const struct decoder *d, struct value *v)
{
	if (unlikely(d->unread_err) && v && v->kind == VALUE_ADDR && !v->err &&
	    v->num == d->unread_addr)
		v->err = (int16_t)d->unread_err;
	return v;
}

struct value *decode_number(struct decoder *d, const struct type *t, uint64_t n)
{
	/*
	 * Addresses and unsigned longs keep all bits of the register, even in a 32-bit ABI with
	 * 64-bit registers.
	 */
	if (t->ops->number && (t->width != W_LONG || t->is_signed))
		n = decode_narrow(d, t, n);
	return with_reason(d, t->ops->number ? t->ops->number(d, t, n) : decode_at(d, t, n));
}

static uint64_t number_load(const struct decoder *d, const struct type *t, const uint8_t *bytes,
			    size_t len)
{
	size_t width = size_min(decode_width(d->abi, t->width), len);

	return decode_narrow(d, t, decode_load(d->abi, bytes, size_min(width, sizeof(uint64_t))));
}

struct value *decode_bytes(struct decoder *d, const struct type *t, uint64_t addr,
			   const uint8_t *bytes, size_t len)
{
	struct value *v;

	if (d->depth >= DECODE_DEPTH_MAX)
		return value_new(d->arena, VALUE_MORE, 0);
	d->depth++;
	if (t->ops->memory)
		v = t->ops->memory(d, t, addr, bytes, len);
	else
		v = t->ops->number(d, t, number_load(d, t, bytes, len));
	d->depth--;
	return with_reason(d, v);
}

void decode_rest(struct decoder *d, struct value *v, uint64_t addr, uint64_t from, uint64_t n)
{
	uint8_t *bytes = decode_read_new(d, addr + from, n, NULL);
	struct value *rest;

	if (!bytes) {
		value_add(v, value_plain(d->arena, "???"));
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (!bytes[i])
			continue;
		rest = value_add_named(v, "rest", decode_text(d, bytes, n));
		rest->text |= TEXT_HEX_STRING | TEXT_UNNAMED | TEXT_COMMENT_FIRST;
		rest->comment = arena_printf(d->arena, "bytes %llu..%llu", (unsigned long long)from,
					     (unsigned long long)(from + n - 1));
		return;
	}
}

#define SIZED_MAX 4096

static struct value *sized_at(struct decoder *d, const struct type *t, uint64_t addr)
{
	size_t known = decode_size(d->abi, t), size;
	bool self = t->flags & TYPE_F_SELF, page = t->flags & TYPE_F_PAGE;
	uint32_t self_size;
	uint64_t given;
	struct value *v;
	uint8_t *bytes;
	int err;

	if (self) {
		err = decode_read(d, addr, &self_size, sizeof(self_size));
		if (err < 0)
			return value_unreadable(d->arena, addr, err);
		given = self_size;
	} else if (!decode_length(d, &t->len, &given)) {
		return value_addr(d->arena, addr);
	}
	if ((given < t->min && !self) || (page && given > SIZED_MAX))
		return value_addr(d->arena, addr);
	size = given < t->min ? sizeof(self_size) : size_min(given, known);
	bytes = decode_read_new(d, addr, size, &err);
	if (!bytes && self) {
		v = decode_bytes(d, t, addr, (uint8_t *)&self_size, sizeof(self_size));
		value_add(v, value_plain(d->arena, "???"));
		return v;
	}
	if (!bytes)
		return value_unreadable(d->arena, addr, err);
	v = decode_bytes(d, t, addr, bytes, size);
	/*
	 * The kernel does not accept structs longer than a page, see copy_struct_from_user(9), so
	 * show at most a page.
	 */
	given = size_min(given, SIZED_MAX);
	if (given > known)
		decode_rest(d, v, addr, known, given - known);
	return v;
}

struct value *decode_at(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v;
	uint8_t *bytes;
	size_t size;
	int err;

	if (!addr)
		return value_addr(d->arena, 0);
	if (d->depth >= DECODE_DEPTH_MAX)
		return value_addr(d->arena, addr);
	if (t->ops->fetch && !(t->flags & TYPE_F_WHOLE)) {
		d->depth++;
		v = t->ops->fetch(d, t, addr);
		d->depth--;
		return v;
	}
	if (d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	if (t->flags & TYPE_F_SIZED)
		return sized_at(d, t, addr);
	size = decode_size(d->abi, t);
	bytes = decode_read_new(d, addr, size, &err);
	if (!bytes)
		return value_unreadable(d->arena, addr, err);
	return decode_bytes(d, t, addr, bytes, size);
}

struct value *decode_always(struct decoder *d, const struct type *t, uint64_t addr)
{
	uint8_t mode = d->mode;
	struct value *v;

	d->mode &= ~DECODE_NO_DEREF;
	v = decode_at(d, t, addr);
	d->mode = mode;
	return v;
}

/* ---- strings ---- */

struct value *decode_path(struct decoder *d, uint64_t addr)
{
	char buf[PATH_MAX];
	struct value *v;
	ssize_t n;

	if (!addr)
		return value_addr(d->arena, 0);
	n = decode_read_string(d, addr, buf, sizeof(buf));
	if (n < 0)
		return value_unreadable(d->arena, addr, n);
	if (n == sizeof(buf)) {
		v = value_string(d->arena, arena_strndup(d->arena, buf, n - 1), n - 1);
		v->flags |= VALUE_F_PATH | VALUE_F_MORE;
		return v;
	}
	v = value_string(d->arena, arena_strndup(d->arena, buf, n), n);
	v->flags |= VALUE_F_PATH;
	if (d->config->resolve_paths && n && buf[0] != '/')
		v->extra = decode_at_fdcwd(d);
	return v;
}

struct value *decode_name(struct decoder *d, uint64_t addr, size_t size)
{
	/* not initialized, because that would take longer than the rest of the function */
	char buf[PATH_MAX];
	struct value *v;
	ssize_t n;

	size = size_min(size, sizeof(buf));
	if (!size) {
		v = value_string(d->arena, "", 0);
		v->flags |= VALUE_F_MORE;
		return v;
	}
	n = decode_read_string(d, addr, buf, size);
	if (n < 0)
		return value_unreadable(d->arena, addr, n);
	if ((size_t)n < size)
		return value_string(d->arena, arena_strndup(d->arena, buf, n), n);
	v = value_string(d->arena, arena_strndup(d->arena, buf, size - 1), size - 1);
	v->flags |= VALUE_F_MORE;
	return v;
}

/*
 * Shows a string that ends at a NUL or after `size` bytes. At most `limit` bytes of it are shown.
 */
static struct value *string_up_to(struct decoder *d, uint64_t addr, size_t limit, size_t size)
{
	char most[PATH_MAX], *buf = most;
	size_t room = size_min(size, sizeof(most));
	struct value *v;
	ssize_t n;

	if (!addr)
		return value_addr(d->arena, 0);
	/* Most strings are short, so allocate space for a long one only if it is needed. */
	n = decode_read_string(d, addr, buf, room);
	if ((size_t)n == room && room < size) {
		buf = arena_alloc(d->arena, size);
		n = decode_read_string(d, addr, buf, size);
	} else if (n >= 0) {
		buf = memcpy(arena_alloc(d->arena, n), most, n);
	}
	if (n < 0)
		return value_unreadable(d->arena, addr, n);
	v = value_string(d->arena, buf, size_min(n, limit));
	if ((size_t)n == size)
		v->flags |= VALUE_F_MORE;
	return v;
}

struct value *decode_string(struct decoder *d, uint64_t addr, size_t limit)
{
	limit = size_min(limit, DECODE_BYTES_MAX);
	return string_up_to(d, addr, limit, limit + 1);
}

struct value *decode_string_in(struct decoder *d, uint64_t addr, size_t size)
{
	size_t limit = d->config->string_limit;

	return limit < size ? decode_string(d, addr, limit) : string_up_to(d, addr, size, size);
}

static struct value *string_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	if (t->flags & TYPE_F_PATH)
		return decode_path(d, addr);
	if (t->len.from == LEN_CONST)
		return decode_string_in(d, addr, t->len.n);
	return decode_string(d, addr, d->config->string_limit);
}

const struct type_ops type_string = {.name = "string", .fetch = string_fetch};

struct value *decode_buffer(struct decoder *d, uint64_t addr, uint64_t len)
{
	size_t shown = size_min(len, size_min(d->config->string_limit, DECODE_BYTES_MAX));
	struct value *v;
	uint8_t *bytes;
	int err;

	if (!addr)
		return value_addr(d->arena, 0);
	/*
	 * Read one byte more than will be shown: "..." may be added only if that byte is readable.
	 */
	bytes = decode_read_new(d, addr, size_min(shown + (len > shown), DECODE_BYTES_MAX), &err);
	if (!bytes)
		return value_unreadable(d->arena, addr, err);
	v = value_string(d->arena, bytes, shown);
	if (len > shown)
		v->flags |= VALUE_F_MORE;
	return v;
}

struct value *decode_text(struct decoder *d, const void *bytes, size_t len)
{
	size_t shown = size_min(len, d->config->string_limit);
	char *copy = arena_alloc(d->arena, shown);
	struct value *v = value_string(d->arena, memcpy(copy, bytes, shown), shown);

	if (len > shown)
		v->flags |= VALUE_F_MORE;
	return v;
}

#define XATTR_MAX 65536 /* linux/limits.h: XATTR_SIZE_MAX */

static struct value *bytes_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct value *v;
	uint64_t len;

	if (!decode_length(d, &t->len, &len) || (t->flags & TYPE_F_NUL && len > XATTR_MAX))
		return value_addr(d->arena, addr);
	v = decode_buffer(d, addr, len);
	if (t->flags & TYPE_F_PATH && v->kind == VALUE_STRING)
		v->flags |= VALUE_F_PATH;
	if (t->flags & TYPE_F_HEX && v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	if (t->flags & TYPE_F_NUL)
		value_hide_nul(v);
	return v;
}

static struct value *bytes_memory(struct decoder *d, const struct type *t,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v;
	uint64_t n;

	if (decode_length(d, &t->len, &n) && n < len)
		len = n;
	if (t->flags & TYPE_F_WHOLE)
		v = value_string(d->arena, memcpy(arena_alloc(d->arena, len), bytes, len), len);
	else
		v = decode_text(d, bytes, len);
	if (t->flags & TYPE_F_HEX)
		v->text |= TEXT_HEX_STRING;
	return v;
}

const struct type_ops type_bytes = {
	.name = "bytes", .fetch = bytes_fetch, .memory = bytes_memory, .size = decode_room};

/*
 * Shows a string of at most n bytes. The caller must have read n + 1 bytes. If none of these is a
 * NUL, the string is longer, and "..." is shown after it.
 */
static struct value *chars_up_to(struct decoder *d, const uint8_t *bytes, size_t n)
{
	size_t len = strnlen((const char *)bytes, n);
	char *copy = arena_alloc(d->arena, len);
	struct value *v = value_string(d->arena, memcpy(copy, bytes, len), len);

	if (len == n && bytes[n])
		v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *chars_memory(struct decoder *d, const struct type *t,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t room = t->len.from == LEN_CONST ? t->len.n : t->max;
	size_t n = size_min(len, room);
	struct value *v;
	uint64_t told;
	char *copy;

	if (t->flags & TYPE_F_NUL && n) {
		n--;
		if (t->len.from != LEN_CONST && decode_length(d, &t->len, &told))
			n = (int64_t)told < 0 ? 0 : size_min(told, n);
		return chars_up_to(d, bytes, n);
	}
	copy = arena_alloc(d->arena, n);
	v = value_string(d->arena, memcpy(copy, bytes, n), n);
	if (t->flags & TYPE_F_HEX)
		v->text |= TEXT_HEX_STRING;
	return v;
}

const struct type_ops type_chars = {.name = "chars", .memory = chars_memory, .size = decode_room};

/* ---- arrays ---- */

/* Returns how many elements of an array with `count` elements are shown. */
static size_t shown_elems(const struct decoder *d, uint64_t count)
{
	size_t limit = d->config->string_limit;

	/*
	 * Like strace 7.2, compares only the low 32 bits of the number of elements with the limit.
	 */
	if (decode_full(d) || (uint32_t)count <= limit)
		limit = DECODE_ELEMS_MAX;
	return size_min(count, size_min(limit, DECODE_ELEMS_MAX));
}

static struct value *array_memory(struct decoder *d, const struct type *t, uint64_t addr,
				  const uint8_t *bytes, size_t len)
{
	size_t size = decode_size(d->abi, t->elem), shown;
	struct value *v = value_array(d->arena);
	uint64_t count;

	if (!size)
		return value_addr(d->arena, addr);
	if (!decode_length(d, &t->len, &count) || count > len / size)
		count = len / size;
	shown = t->flags & TYPE_F_ALL ? count : shown_elems(d, count);
	for (size_t i = 0; i < shown; i++) {
		if (decode_is_spent(d))
			shown = i;
		else
			value_add(v, decode_bytes(d, t->elem, addr + i * size, bytes + i * size,
						  size));
	}
	if (shown < count)
		v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *array_fetch(struct decoder *d, const struct type *t, uint64_t addr);

/* Shows the first t->max elements of an array that has more. */
static struct value *array_fetch_first(struct decoder *d, const struct type *t, uint64_t addr)
{
	struct type array = *t;
	struct value *v;

	array.len = (struct length)N(t->max);
	array.max = 0;
	v = array_fetch(d, &array, addr);
	if (v->kind == VALUE_ARRAY && (!v->last || v->last->kind != VALUE_MORE))
		v->flags |= VALUE_F_MORE;
	return v;
}

/*
 * Reads an array from memory. If it is only partly readable, shows the readable elements and then
 * the address of the first unreadable one.
 */
static struct value *array_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	size_t size = decode_size(d->abi, t->elem), shown, i;
	struct value *v;
	uint64_t count;

	if (!size || !decode_length(d, &t->len, &count) || (count && d->mode & DECODE_NO_DEREF))
		return value_addr(d->arena, addr);
	/* An array that is larger than the address space is shown as an address. */
	if (count > (UINT64_MAX - addr) / size)
		return value_addr(d->arena, addr);
	if (t->max && count > t->max)
		return array_fetch_first(d, t, addr);
	v = value_array(d->arena);
	shown = shown_elems(d, count);
	/*
	 * Read one element more than will be shown: "..." may be added only if that element is
	 * readable.
	 */
	for (i = 0; i < shown + (shown < count);) {
		size_t n = size_min(shown + (shown < count) - i, size_max(1, 4096 / size));
		uint64_t at = addr + i * size;
		uint8_t *bytes = arena_alloc(d->arena, n * size);
		int err = decode_read(d, at, bytes, n * size);
		ssize_t got;

		if (!err)
			got = n;
		else if ((got = decode_read_some(d, at, bytes, n * size)) > 0)
			got /= size;
		for (ssize_t k = 0; k < got; k++, i++, bytes += size) {
			if (i == shown || decode_is_spent(d)) {
				v->flags |= VALUE_F_MORE;
				return v;
			}
			value_add(v, decode_bytes(d, t->elem, addr + i * size, bytes, size));
		}
		if (got < (ssize_t)n) {
			if (!i)
				return value_unreadable(d->arena, addr, err);
			if (err == -E2BIG)
				v->flags |= VALUE_F_MORE;
			else
				value_add(v, value_more_at(d->arena, addr + i * size, err));
			return v;
		}
	}
	return v;
}

static size_t array_size(const struct abi *abi, const struct type *t)
{
	return decode_room(abi, t) * decode_size(abi, t->elem);
}

static size_t elem_align(const struct abi *abi, const struct type *t)
{
	return decode_align(abi, t->elem);
}

const struct type_ops type_array = {.name = "array",
				    .memory = array_memory,
				    .fetch = array_fetch,
				    .size = array_size,
				    .align = elem_align};

/*
 * Shows an array at the end of a struct. The array is read after the struct, because a field of the
 * struct contains its length.
 */
static struct value *trailing_memory(struct decoder *d, const struct type *t, uint64_t addr,
				     const uint8_t *bytes attr_unused, size_t len attr_unused)
{
	struct type array = *t;

	if (!t->elem)
		return bytes_fetch(d, t, addr);
	array.ops = &type_array;
	return array_fetch(d, &array, addr);
}

const struct type_ops type_trailing = {.name = "trailing", .memory = trailing_memory};

/* ---- pointers ---- */

static struct value *ptr_number(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v, *array;

	v = decode_at(d, t->elem, n);
	if (!n || !is_number(t->elem))
		return v;
	if (v->kind == VALUE_ADDR && (v->err || d->mode & DECODE_NO_DEREF))
		return v;
	array = value_array(d->arena);
	value_add(array, v);
	return array;
}

const struct type_ops type_ptr = {.name = "ptr", .number = ptr_number};

/* ---- types that select one of several types ---- */

static struct value *chosen_number(struct decoder *d, const struct type *t, uint64_t n)
{
	return decode_number(d, t->ops->choose(d, t), n);
}

static struct value *chosen_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	return decode_at(d, t->ops->choose(d, t), addr);
}

static struct value *chosen_memory(struct decoder *d, const struct type *t, uint64_t addr,
				   const uint8_t *bytes, size_t len)
{
	return decode_bytes(d, t->ops->choose(d, t), addr, bytes, len);
}

static const struct type *switch_type(const struct decoder *d, const struct type *t)
{
	uint64_t n;

	if (decode_length(d, &t->len, &n))
		for (const struct type_case *c = t->cases; c->type; c++)
			if (c->value == n)
				return c->type;
	return t->other;
}

/* Returns the size of a SWITCH(), which is that of its largest case. */
static size_t switch_size(const struct abi *abi, const struct type *t)
{
	size_t size = decode_size(abi, t->other);

	for (const struct type_case *c = t->cases; c->type; c++)
		size = size_max(size, decode_size(abi, c->type));
	return size;
}

static size_t switch_align(const struct abi *abi, const struct type *t)
{
	size_t align = decode_align(abi, t->other);

	for (const struct type_case *c = t->cases; c->type; c++)
		align = size_max(align, decode_align(abi, c->type));
	return align;
}

const struct type_ops type_switch = {.name = "switch",
				     .number = chosen_number,
				     .memory = chosen_memory,
				     .choose = switch_type,
				     .size = switch_size,
				     .align = switch_align};

/* Implements BY_ABI(), BY_FORM() and BY_LONG(), which select another type in some ABIs. */
const struct type *decode_type_in(const struct abi *abi, const struct type *t)
{
	bool other = t->flags & TYPE_F_FORM   ? !abi->x86_forms
		     : t->flags & TYPE_F_LONG ? abi->long_size != sizeof(uint64_t)
					      : abi->compat;

	return other ? t->other : t->elem;
}

static const struct type *abi_type(const struct decoder *d, const struct type *t)
{
	return decode_type_in(d->abi, t);
}

static size_t by_abi_size(const struct abi *abi, const struct type *t)
{
	return decode_size(abi, decode_type_in(abi, t));
}

static size_t by_abi_align(const struct abi *abi, const struct type *t)
{
	return decode_align(abi, decode_type_in(abi, t));
}

const struct type_ops type_by_abi = {.name = "by_abi",
				     .number = chosen_number,
				     .memory = chosen_memory,
				     .fetch = chosen_fetch,
				     .choose = abi_type,
				     .size = by_abi_size,
				     .align = by_abi_align};

/* Implements BY_PHASE(), which selects another type at exit. */
static const struct type *phase_type(const struct decoder *d, const struct type *t)
{
	return d->exiting ? t->other : t->elem;
}

static size_t elem_size(const struct abi *abi, const struct type *t)
{
	return decode_size(abi, t->elem);
}

const struct type_ops type_by_phase = {.name = "by_phase",
				       .number = chosen_number,
				       .memory = chosen_memory,
				       .choose = phase_type,
				       .size = elem_size,
				       .align = elem_align};
