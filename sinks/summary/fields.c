/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/fields.h"

#include <string.h>

#include "query/group.h"
#include "sinks/profile/stack_tree.h"
#include "sinks/text/text_value.h"
#include "unwind.h"

/*
 * Bytes that do not occur in values. SEPARATOR separates values, and NOTHING represents a missing
 * value.
 */
#define SEPARATOR '\x1f'
#define NOTHING	  '\x1e'

static void put_stack(struct strbuf *b, const struct event *e, struct unwinder *unwinder)
{
	const struct frame *f;
	size_t n;

	if (!e->stack || !unwinder) {
		strbuf_puts(b, "(no stack)");
		return;
	}
	f = stack_frames(unwinder, e->stack, &n);
	frames_line(b, f, n);
}

static void put_value(struct strbuf *b, const struct group_value *v, const struct event *e,
		      struct unwinder *unwinder)
{
	static const struct text_config plain;

	switch (v->kind) {
	case GROUP_NUMBER:
		if (v->negative)
			strbuf_putc(b, '-');
		strbuf_udec(b, v->number);
		break;
	case GROUP_TEXT:
		strbuf_add(b, v->text.data, v->text.len);
		break;
	case GROUP_VALUE:
		text_value(b, v->value, &plain);
		break;
	case GROUP_STACK:
		put_stack(b, e, unwinder);
		break;
	default:
		strbuf_putc(b, NOTHING);
		break;
	}
}

void fields_put_key(struct strbuf *key, const struct group *g, const struct event *e,
		    struct unwinder *unwinder)
{
	struct group_value v = {0};

	for (size_t i = 0; i < group_count(g); i++) {
		size_t start;

		if (i)
			strbuf_putc(key, SEPARATOR);
		start = key->len;
		group_value(g, i, e, &v);
		put_value(key, &v, e, unwinder);
		for (size_t at = start; v.kind != GROUP_NOTHING && at < key->len; at++)
			if (key->data[at] == SEPARATOR || key->data[at] == NOTHING ||
			    !key->data[at])
				key->data[at] = '?';
	}
	strbuf_deinit(&v.text);
}

bool fields_part(struct strbuf *b, const char *name, size_t i)
{
	size_t len;

	for (; i && name; i--) {
		name = strchr(name, SEPARATOR);
		name = name ? name + 1 : NULL;
	}
	if (!name || *name == NOTHING)
		return false;
	len = strcspn(name, (const char[]){SEPARATOR, '\0'});
	strbuf_add(b, name, len);
	return true;
}

bool fields_are_in(const char *name)
{
	return strchr(name, SEPARATOR);
}

/*
 * Adds the value `v` to `sum`. If the sum overflows, returns the largest or smallest possible
 * value.
 */
static int64_t add(int64_t sum, const struct group_value *v)
{
	const int64_t n = v->number > INT64_MAX ? INT64_MAX : (int64_t)v->number;
	int64_t result;

	if (!__builtin_add_overflow(sum, v->negative ? -n : n, &result))
		return result;
	return v->negative ? INT64_MIN : INT64_MAX;
}

void fields_add(struct summary_row *row, const struct group *sum, const struct group *hist,
		const struct event *e)
{
	struct group_value v = {0};

	for (size_t i = 0; i < group_count(sum); i++) {
		group_value(sum, i, e, &v);
		if (v.kind == GROUP_NUMBER)
			row->sums[i] = add(row->sums[i], &v);
	}
	if (hist) {
		group_value(hist, 0, e, &v);
		if (v.kind == GROUP_NUMBER && !v.negative)
			octaves_count(row->octaves, v.number);
	}
	strbuf_deinit(&v.text);
}
