/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/path_key.h"

static bool is_absolute(const struct value *v)
{
	return v && v->kind == VALUE_FD && v->str && v->len && v->str[0] == '/';
}

/* Appends the parts of a path to b, which has an absolute path from start on. */
static void put_parts(struct strbuf *b, size_t start, const char *path, size_t n)
{
	for (size_t i = 0, len; i < n; i += len + 1) {
		const char *part = path + i, *slash = memchr(part, '/', n - i);

		len = slash ? (size_t)(slash - part) : n - i;
		if (!len || (len == 1 && part[0] == '.'))
			continue;
		if (len == 2 && part[0] == '.' && part[1] == '.') {
			while (b->len > start && b->data[--b->len] != '/')
				;
			continue;
		}
		strbuf_putc(b, '/');
		strbuf_add(b, part, len);
	}
}

/* path is relative to base, unless it is absolute; base is NULL if that is not known. */
static void put_path(struct strbuf *b, const struct value *path, const struct value *base)
{
	size_t start = b->len;

	if (path->str[0] != '/' && !is_absolute(base)) {
		strbuf_add(b, path->str, path->len);
		return;
	}
	if (path->str[0] != '/')
		put_parts(b, start, base->str, base->len);
	put_parts(b, start, path->str, path->len);
	if (b->len == start)
		strbuf_putc(b, '/');
}

static const struct value *argument(const struct syscall_event *e, unsigned i)
{
	return e->args[i].in ? e->args[i].in : e->args[i].out;
}

void path_key(struct strbuf *b, const struct syscall_event *e)
{
	const struct value *fd = NULL, *before = NULL;

	for (unsigned i = 0; i < e->nargs; i++, before = argument(e, i - 1)) {
		const struct value *v = argument(e, i);

		if (!v)
			continue;
		if (v->kind == VALUE_STRING && v->flags & VALUE_F_PATH && v->len) {
			if (e->ret_kind == RET_VALUE && is_absolute(e->ret_value))
				strbuf_add(b, e->ret_value->str, e->ret_value->len);
			else
				put_path(b, v, is_absolute(before) ? before : v->extra);
			return;
		}
		if (v->kind == VALUE_FD && v->str && v->len && !fd)
			fd = v;
	}
	if (fd)
		strbuf_add(b, fd->str, fd->len);
	else
		strbuf_puts(b, "(no path)");
}
