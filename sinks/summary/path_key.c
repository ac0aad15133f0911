/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/path_key.h"

#include "event/paths.h"
#include "sinks/text/text_fd.h"

static bool is_absolute(const struct value *v)
{
	return v && v->kind == VALUE_FD && v->str && v->len && v->str[0] == '/';
}

/* Appends a path. Makes it absolute if `base` is a descriptor of a known directory. */
static void put_path(struct strbuf *b, const struct value *path, const struct value *base)
{
	const bool known = is_absolute(base);

	path_put_absolute(b, known ? base->str : NULL, known ? base->len : 0, path->str, path->len);
}

static const struct value *argument(const struct event *e, unsigned i)
{
	return e->args[i].in ? e->args[i].in : e->args[i].out;
}

/*
 * Appends the addresses of a socket if they are known (-yy), otherwise the path of the descriptor.
 */
static void put_fd(struct strbuf *b, const struct value *fd)
{
	if (fd->extra && fd->extra->kind == VALUE_SOCKET)
		text_socket(b, fd->extra, HEX_NEVER);
	else
		strbuf_add(b, fd->str, fd->len);
}

void path_key(struct strbuf *b, const struct event *e)
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
		put_fd(b, fd);
	else
		strbuf_puts(b, "(no path)");
}
