/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/secontext.h"

#include <fcntl.h>
#include <string.h>

#include "linux/syscall_rows.h"

/* Returns a copy of the context in an answer, allocated in the arena. */
static const char *keep(struct decoder *d, const struct fact_answer *a)
{
	const size_t len = strlen(a->bytes);

	arena_charge(d->arena, len * VALUE_STRING_CHARGE);
	return arena_strndup(d->arena, a->bytes, len);
}

void decode_thread_context(struct decoder *d)
{
	struct fact_answer a;

	if (unlikely(d->config->secontext) && fact_thread_context(d->facts, d->tid, &a))
		d->ev->base.secontext = keep(d, &a);
}

/*
 * Gets a context of the file of descriptor `fd` or, if `path` is not NULL, of this path. Returns
 * false if the context is unknown.
 */
static bool ask(struct decoder *d, int fd, const char *path, enum context_kind kind,
		struct fact_answer *a)
{
	arena_charge(d->arena, BUDGET_FACT);
	return path ? fact_path_context(d->facts, d->tid, fd, path, kind, a)
		    : fact_fd_context(d->facts, d->tid, fd, kind, a);
}

static void add(struct decoder *d, int fd, const char *path, struct value *v)
{
	struct secontext *s;
	struct fact_answer a;

	if (decode_is_spent(d) || !ask(d, fd, path, CONTEXT_ACTUAL, &a))
		return;
	s = arena_alloc(d->arena, sizeof(*s));
	*s = (struct secontext){.context = keep(d, &a)};
	if (d->config->secontext_expected && ask(d, fd, path, CONTEXT_EXPECTED, &a))
		s->expected = keep(d, &a);
	v->secontext = s;
}

void decode_fd_context(struct decoder *d, int fd, struct value *v)
{
	if (unlikely(d->config->secontext))
		add(d, fd, NULL, v);
}

void decode_path_context(struct decoder *d, int dir, struct value *v)
{
	if (unlikely(d->config->secontext) && v->len && !(v->flags & VALUE_F_MORE))
		add(d, dir, arena_strndup(d->arena, v->str, v->len), v);
}

void decode_argument_contexts(struct decoder *d)
{
	const struct syscall_event *ev = d->ev;
	/* A call does not look up the target of a new symbolic link, so skip this argument. */
	const unsigned first = ev->row == ROW_symlink || ev->row == ROW_symlinkat;
	const struct value *before = NULL;

	if (likely(!d->config->secontext))
		return;
	for (unsigned i = 0; i < ev->base.nargs; i++) {
		const struct arg *arg = &ev->base.args[i];
		struct value *v = d->exiting ? arg->out : arg->in;

		if (i >= first && v && v->kind == VALUE_STRING && v->flags & VALUE_F_PATH)
			decode_path_context(
				d, before && before->kind == VALUE_FD ? (int)before->num : AT_FDCWD,
				v);
		before = arg->in;
	}
}
