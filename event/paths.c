/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/paths.h"

#include <string.h>

#include "linux/syscall_rows.h"

/*
 * Appends the components of a path to the absolute path that begins at offset `start` in b.
 * Resolves "." and "..".
 */
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

void path_put_absolute(struct strbuf *b, const char *base, size_t base_len, const char *path,
		       size_t len)
{
	const size_t start = b->len;
	const bool relative = !len || path[0] != '/';

	if (relative && !base) {
		strbuf_add(b, path, len);
		return;
	}
	if (relative)
		put_parts(b, start, base, base_len);
	put_parts(b, start, path, len);
	if (b->len == start)
		strbuf_putc(b, '/');
}

/*
 * Calls visit() for a path argument and returns its result. A relative path is resolved relative to
 * the preceding descriptor argument or, if there is none, relative to v->extra.
 */
static bool visit_path(const struct value *v, const struct value *before, path_visit *visit,
		       void *ctx)
{
	struct descriptor_facts base = {0};
	struct strbuf path = {0};
	bool end;

	if (before && before->kind == VALUE_FD)
		value_descriptor_facts(before, &base);
	else if (v->extra && v->extra->kind == VALUE_FD)
		value_descriptor_facts(v->extra, &base);
	if (base.path && base.path[0] != '/')
		base.path = NULL;
	path_put_absolute(&path, base.path, base.path_len, v->str, v->len);
	end = visit(ctx, path.data, path.len);
	strbuf_deinit(&path);
	return end;
}

static bool is_path(const struct value *v)
{
	return v && v->kind == VALUE_STRING && v->flags & VALUE_F_PATH && v->len;
}

enum found event_paths(const struct syscall_event *e, bool ended, path_visit *visit, void *ctx)
{
	/* The target of a new symbolic link is skipped, because the call does not look it up. */
	const unsigned first = e->row == ROW_symlink || e->row == ROW_symlinkat;
	const struct value *before = NULL;
	bool any = false;

	for (unsigned i = first; i < e->base.nargs; i++) {
		const struct value *v = event_argument_at(&e->base, i, ended);

		if (is_path(v)) {
			any = true;
			if (visit_path(v, before, visit, ctx))
				return FOUND;
		}
		before = v;
	}
	for (unsigned i = 0; i < e->base.nargs && !any; i++) {
		const struct value *v = event_argument_at(&e->base, i, ended);
		struct descriptor_facts f;

		if (!v || v->kind != VALUE_FD)
			continue;
		value_descriptor_facts(v, &f);
		if (f.path && f.path_len && visit(ctx, f.path, f.path_len))
			return FOUND;
	}
	return any || ended || event_has_all(e) ? FOUND_NOTHING : FOUND_LATER;
}
