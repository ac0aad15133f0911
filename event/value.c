/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/value.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

struct value *value_new(struct arena *a, enum value_kind kind, uint64_t num)
{
	struct value *v = arena_alloc(a, sizeof(*v));

	*v = (struct value){.kind = kind, .num = num};
	arena_charge(a, VALUE_CHARGE);
	return v;
}

struct value *value_int(struct arena *a, int64_t n)
{
	return value_new(a, VALUE_INT, n);
}

struct value *value_uint(struct arena *a, uint64_t n)
{
	return value_new(a, VALUE_UINT, n);
}

struct value *value_hex(struct arena *a, uint64_t n)
{
	return value_new(a, VALUE_HEX, n);
}

struct value *value_addr(struct arena *a, uint64_t n)
{
	return value_new(a, VALUE_ADDR, n);
}

struct value *value_unreadable(struct arena *a, uint64_t addr, int err)
{
	struct value *v = value_new(a, VALUE_ADDR, addr);

	v->err = err;
	return v;
}

struct value *value_more_at(struct arena *a, uint64_t addr, int err)
{
	struct value *v = value_new(a, VALUE_MORE, addr);

	v->err = err;
	v->comment = arena_printf(a, "%#llx", (unsigned long long)addr);
	return v;
}

struct value *value_enum(struct arena *a, const struct xlat *x, uint64_t n)
{
	struct value *v = value_new(a, VALUE_ENUM, n);

	v->table = x;
	return v;
}

const char *value_enum_name(const struct value *v)
{
	return v->width == 8 ? xlat_name64(v->table, v->num) : xlat_name(v->table, v->num);
}

struct value *value_flags(struct arena *a, const struct xlat *x, uint64_t n)
{
	struct value *v = value_new(a, VALUE_FLAGS, n);

	v->table = x;
	arena_charge(a, VALUE_FLAG_CHARGE * __builtin_popcountll(n));
	return v;
}

struct value *value_string(struct arena *a, const void *bytes, size_t len)
{
	struct value *v = value_new(a, VALUE_STRING, 0);

	v->str = bytes;
	v->len = len;
	arena_charge(a, VALUE_STRING_CHARGE * len);
	return v;
}

struct value *value_foreign(struct arena *a, struct foreign f)
{
	size_t len = 0;
	char *bytes;

	while (foreign_given(f) && foreign_byte(f, len))
		len++;
	bytes = arena_alloc(a, len + 1);
	for (size_t i = 0; i < len; i++)
		bytes[i] = (char)foreign_byte(f, i);
	return value_string(a, bytes, len);
}

void value_hide_nul(struct value *v)
{
	if (v->kind != VALUE_STRING || !v->len || v->str[v->len - 1])
		return;
	v->len--;
	v->text |= v->flags & VALUE_F_MORE ? TEXT_NUL | TEXT_NUL_MORE : TEXT_NUL;
	v->flags &= ~VALUE_F_MORE;
}

struct value *value_plain(struct arena *a, const char *text)
{
	struct value *v = value_string(a, text, strlen(text));

	v->text |= TEXT_PLAIN;
	return v;
}

struct value *value_word(struct arena *a, const char *name, uint64_t num)
{
	struct value *v = value_new(a, VALUE_NAME, num);

	v->str = name;
	v->len = strlen(name);
	return v;
}

struct value *value_struct(struct arena *a)
{
	return value_new(a, VALUE_STRUCT, 0);
}

struct value *value_array(struct arena *a)
{
	return value_new(a, VALUE_ARRAY, 0);
}

struct value *value_or(struct arena *a, uint64_t num)
{
	return value_new(a, VALUE_OR, num);
}

struct value *value_call(struct arena *a, const char *function)
{
	struct value *v = value_new(a, VALUE_CALL, 0);

	v->function = function;
	return v;
}

struct value *value_expr(struct arena *a, enum value_op op, uint64_t num)
{
	struct value *v = value_new(a, VALUE_EXPR, num);

	v->oper = op;
	return v;
}

const char *value_op_text(enum value_op op)
{
	static const char *const texts[] = {
		[VALUE_OP_JOIN] = "",
		[VALUE_OP_TIMES] = "*",
		[VALUE_OP_SHIFT] = "<<",
		[VALUE_OP_PLUS] = "+",
		[VALUE_OP_OR] = "|",
		[VALUE_OP_PER] = "/",
		[VALUE_OP_ALTERNATIVE] = " or ",
		[VALUE_OP_BESIDE] = "",
	};

	return texts[op];
}

bool value_op_is_arithmetic(enum value_op op)
{
	return op == VALUE_OP_TIMES || op == VALUE_OP_SHIFT || op == VALUE_OP_PLUS;
}

struct value *value_address(struct arena *a, int family, const void *bytes, size_t len)
{
	struct value *v = value_new(a, VALUE_ADDRESS, family);

	v->str = memcpy(arena_alloc(a, len), bytes, len);
	v->len = len;
	return v;
}

size_t value_address_text(const struct value *v, char *text, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)v->str;
	size_t n = 0;

	text[0] = '\0';
	if (v->num == AF_INET || v->num == AF_INET6) {
		inet_ntop(v->num, bytes, text, size);
		return strlen(text);
	}
	for (size_t i = 0; i < v->len && n + 3 < size; i++)
		n += snprintf(text + n, size - n, i ? ":%02x" : "%02x", bytes[i]);
	return n;
}

struct value *value_device(struct arena *a, uint64_t num)
{
	return value_new(a, VALUE_DEVICE, num);
}

unsigned value_status_rest(const struct value *v)
{
	int status = v->num;

	if (WIFSTOPPED(status) || WIFCONTINUED(status))
		return 0;
	return status & (WIFSIGNALED(status) ? 0xff00 : 0xff);
}

struct value *value_date(struct arena *a, int64_t sec, uint64_t fraction, unsigned digits)
{
	/*
	 * The first and the last second for which the year fits in tm_year, which is an int; see
	 * localtime(3).
	 */
	static const int64_t first = -67768040609740800, last = 67768036191676799;
	struct value *v;

	if ((!sec && !fraction) || fraction >= (digits == 6 ? 1000000 : 1000000000))
		return NULL;
	if (sec < first || sec > last)
		return NULL;
	v = value_new(a, VALUE_DATE, sec);
	v->fraction = fraction;
	v->digits = digits;
	return v;
}

size_t value_date_text(const struct value *v, char text[VALUE_DATE_TEXT])
{
	char fraction[16] = "";
	time_t sec = (int64_t)v->num;
	size_t n, zone;
	struct tm tm;

	if (!localtime_r(&sec, &tm))
		return 0;
	if (v->fraction)
		snprintf(fraction, sizeof(fraction), v->digits == 6 ? ".%06u" : ".%09u",
			 v->fraction);
	n = strftime(text, VALUE_DATE_TEXT - 32, "%FT%T", &tm);
	if (!n)
		return 0;
	n += snprintf(text + n, sizeof(fraction), "%s", fraction);
	zone = strftime(text + n, VALUE_DATE_TEXT - n, "%z", &tm);
	return zone ? n + zone : 0;
}

struct value *value_fd(struct arena *a, int fd)
{
	return value_new(a, VALUE_FD, (int64_t)fd);
}

/* Returns a shallow copy of a value, to give it another parent. A value has at most one parent. */
static struct value *value_shallow(struct arena *a, const struct value *v)
{
	struct value *copy = arena_alloc(a, sizeof(*copy));

	*copy = *v;
	copy->next = NULL;
	copy->flags &= ~VALUE_F_OPEN;
	return copy;
}

struct value *value_change(struct arena *a, struct value *in, struct value *out)
{
	struct value *v = value_new(a, VALUE_CHANGE, out ? out->num : in->num);

	value_add(v, value_shallow(a, in));
	if (out)
		value_add(v, value_shallow(a, out));
	return v;
}

struct value *value_changing(struct arena *a, struct value *in)
{
	struct value *v = value_change(a, in, NULL);

	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *value_pending(struct arena *a)
{
	return value_new(a, VALUE_PENDING, 0);
}

struct value *value_add(struct value *parent, struct value *child)
{
	if (parent->last)
		parent->last->next = child;
	else
		parent->child = child;
	parent->last = child;
	return child;
}

struct value *value_add_named(struct value *parent, const char *name, struct value *child)
{
	child->name = name;
	return value_add(parent, child);
}

/* Returns true if the union in v contains children. */
static bool value_has_children(const struct value *v)
{
	switch (v->kind) {
	case VALUE_OR:
	case VALUE_CALL:
	case VALUE_EXPR:
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_BITSET:
	case VALUE_STATUS:
	case VALUE_SOCKET:
	case VALUE_DEVICE_FILE:
	case VALUE_CHANGE:
	case VALUE_SEQ:
	case VALUE_INDEXED:
		return true;
	default:
		return false;
	}
}

const struct value *value_member(const struct value *parent, const char *name)
{
	if (!value_has_children(parent))
		return NULL;
	value_for_each(parent, v) if (v->name && !strcmp(v->name, name)) return v;
	return NULL;
}

size_t value_count(const struct value *parent)
{
	size_t n = 0;

	if (value_has_children(parent))
		value_for_each(parent, v) n++;
	return n;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool children_equal(const struct value *a, const struct value *b)
{
	const struct value *x = a->child, *y = b->child;

	if (a->kind == VALUE_CALL ? !same_text(a->function, b->function) : a->oper != b->oper)
		return false;
	for (; x != y && x && y; x = x->next, y = y->next)
		if (!same_text(x->name, y->name) || !value_equal(x, y))
			return false;
	return x == y;
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind || a->num != b->num ||
	    (a->flags ^ b->flags) & ~VALUE_F_OPEN)
		return false;
	if (!same_text(a->comment, b->comment) || !value_equal(a->extra, b->extra))
		return false;
	if (value_has_children(a))
		return children_equal(a, b);
	switch (a->kind) {
	case VALUE_ENUM:
	case VALUE_FLAGS:
		return a->table == b->table;
	case VALUE_DATE:
		return a->fraction == b->fraction && a->digits == b->digits;
	case VALUE_STRING:
	case VALUE_ADDRESS:
	case VALUE_NAME:
	case VALUE_FD:
	case VALUE_PID:
		return a->len == b->len && (!a->len || !memcmp(a->str, b->str, a->len));
	default:
		return true;
	}
}

uint64_t value_flags_split(const struct xlat *x, uint64_t num,
			   void (*fn)(void *ctx, const struct xlat_entry *e), void *ctx)
{
	for (uint32_t i = 0; num && i < x->n; i++) {
		const struct xlat_entry *e = &x->entries[i];

		if (e->val && (num & e->val) == e->val) {
			num &= ~e->val;
			fn(ctx, e);
		}
	}
	return num;
}

/*
 * Adds the member m to the struct v. If v already has a member of the same name, that member
 * becomes a change, unless both values are equal and not structs. In that case, v keeps its member
 * and m is dropped.
 */
static void extend_member(struct arena *a, struct value *v, struct value *m)
{
	for (struct value *last = NULL, *e = v->child; e; last = e, e = e->next) {
		struct value *change, *out = m;

		if (strcmp(e->name, m->name))
			continue;
		if (e->kind == m->kind && e->num == m->num && e->kind != VALUE_STRUCT)
			return;
		if (m->text & TEXT_NAMED) {
			out = value_new(a, VALUE_SEQ, m->num);
			value_add(out, m);
		}
		change = value_change(a, e, out);
		change->name = e->name;
		change->next = e->next;
		e->next = NULL;
		*(last ? &last->next : &v->child) = change;
		if (v->last == e)
			v->last = change;
		return;
	}
	value_add(v, m);
}

struct value *value_extended(struct arena *a, const struct value *before, struct value *more)
{
	struct value *v = value_struct(a);

	for (const struct value *m = before ? before->child : NULL; m; m = m->next) {
		struct value *copy = arena_alloc(a, sizeof(*copy));

		*copy = *m;
		copy->next = NULL;
		value_add(v, copy);
	}
	if (more && more->kind == VALUE_STRUCT) {
		for (struct value *m = more->child, *next; m; m = next) {
			next = m->next;
			m->next = NULL;
			extend_member(a, v, m);
		}
		v->flags |= more->flags & VALUE_F_MORE;
	}
	return v;
}

struct value *value_indexed(struct arena *a, struct value *index, struct value *v)
{
	struct value *pair = value_new(a, VALUE_INDEXED, v->num);

	value_add(pair, index);
	value_add(pair, v);
	return pair;
}
