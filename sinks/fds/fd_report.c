/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/fds/fd_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "linux/syscall_rows.h"
#include "sinks/fds/fd_table.h"
#include "sinks/threads.h"
#include "unwind.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/strbuf.h"
#include "util/vec.h"

/* Maximum number of descriptors to list for one place. */
#define NAMED_MAX 8

struct process {
	pid_t pid;
	struct fd_table fds;
};

/* A descriptor that was left open, with the data to report. */
struct left {
	pid_t pid;
	int fd;
	char *path;
	struct place opened;
};

/* A close(2) of a descriptor that had already been closed. */
struct twice {
	pid_t pid;
	int fd;
	char *path;
	struct place opened, closed, again;
};

struct fd_report {
	struct sink base;
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
	struct threads processes; /* values are struct process, keys are pids */
	struct places *places;
	VEC(struct left) left;
	VEC(struct twice) twice;
	uint64_t lost; /* number of events that the sink has missed */
};

static struct fd_report *report_of(struct sink *s)
{
	return container_of(s, struct fd_report, base);
}

static struct process *process_of(struct fd_report *r, pid_t pid)
{
	struct process *p = threads_find(&r->processes, pid);

	if (p)
		return p;
	p = mem_zalloc(sizeof(*p));
	p->pid = pid;
	threads_add(&r->processes, pid, p);
	return p;
}

static void on_close(struct fd_report *r, struct process *p, const struct syscall_event *e,
		     struct place by)
{
	const int fd = (int)e->raw_args[0];
	struct fd_slot *slot = fd_slot_of(&p->fds, fd);

	if (!slot)
		return;
	if (e->base.ret_kind == RET_ERROR && e->base.ret == EBADF && slot->seen && !slot->open) {
		*vec_push(&r->twice) =
			(struct twice){.pid = p->pid,
				       .fd = fd,
				       .path = slot->path ? mem_strdup(slot->path) : NULL,
				       .opened = slot->opened,
				       .closed = slot->closed,
				       .again = by};
		return;
	}
	/*
	 * The descriptor is closed even if close(2) fails with an error other than EBADF; see its
	 * manual page.
	 */
	if (e->base.ret_kind == RET_VALUE || e->base.ret != EBADF)
		fd_slot_close(slot, by);
}

static void report_call(struct fd_report *r, const struct syscall_event *e)
{
	struct process *p = process_of(r, e->base.tgid);
	struct place by = {0};

	if (e->base.ret_kind != RET_VALUE && e->row != ROW_close)
		return;
	by = places_add(r->places, r->base.unwinder, e);
	if (e->row == ROW_close)
		on_close(r, p, e, by);
	else
		fd_table_call(&p->fds, e, by);
}

static void process_free(struct process *p)
{
	fd_table_deinit(&p->fds);
	free(p);
}

/*
 * Handles the end or detachment of a process. Records the open descriptors, except for those that
 * were inherited.
 */
static void process_end(struct fd_report *r, struct process *p)
{
	for (size_t fd = 0; fd < p->fds.slots.n; fd++) {
		struct fd_slot *slot = &p->fds.slots.v[fd];

		if (!slot->open || slot->inherited)
			continue;
		*vec_push(&r->left) = (struct left){
			.pid = p->pid, .fd = (int)fd, .path = slot->path, .opened = slot->opened};
		slot->path = NULL;
	}
	process_free(p);
}

/* Handles a new thread or process. A new process inherits its parent's descriptors. */
static void process_fork(struct fd_report *r, const struct process_event *e)
{
	const struct process *parent = threads_find(&r->processes, e->base.tgid);
	struct process *child;

	if (!parent || threads_find(&r->processes, e->code))
		return;
	child = process_of(r, e->code);
	fd_table_copy(&child->fds, &parent->fds);
}

static void report_process(struct fd_report *r, const struct process_event *e)
{
	struct process *p = threads_find(&r->processes, e->base.tgid);

	if (e->kind == PROCESS_FORKED) {
		process_fork(r, e);
	} else if (e->kind == PROCESS_EXEC && p) {
		fd_table_exec(&p->fds);
	}
}

static void report_thread_end(struct sink *s, const struct event *e)
{
	struct fd_report *r = report_of(s);
	struct process *p = threads_remove(&r->processes, e->tid);

	if (!p)
		return;
	/*
	 * process_fork() adds an entry for each new thread, because it may be the first thread of a
	 * new process. If it was not, drop the entry without a report: the descriptors are in the
	 * entry of the thread's process.
	 */
	if (e->tgid && e->tgid != e->tid)
		process_free(p);
	else
		process_end(r, p);
}

/* ---- the report ---- */

static void put_fd(struct strbuf *b, int fd, const char *path)
{
	strbuf_printf(b, "%d", fd);
	if (!path)
		return;
	strbuf_putc(b, '<');
	escape_name(b, path, strlen(path));
	strbuf_putc(b, '>');
}

static int by_place(const void *a, const void *b)
{
	const struct left *x = a, *y = b;
	int order = (x->pid > y->pid) - (x->pid < y->pid);

	if (!order)
		order = (x->opened.site > y->opened.site) - (x->opened.site < y->opened.site);
	return order ? order : x->fd - y->fd;
}

static bool same_place(const struct left *a, const struct left *b)
{
	return a->pid == b->pid && a->opened.site == b->opened.site;
}

/*
 * `l` contains n descriptors, sorted by process and place. Returns how many of them were opened in
 * the same process and at the same place as the first descriptor.
 */
static size_t group_of(const struct left *l, size_t n)
{
	size_t count = 1;

	while (count < n && same_place(l, l + count))
		count++;
	return count;
}

/* Descriptors that were opened at the same place. */
struct group {
	const struct left *first;
	size_t count;
};

static int by_count(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

static void put_left(struct fd_report *r, struct strbuf *b)
{
	VEC(struct group) groups = {0};

	if (r->left.n)
		qsort(r->left.v, r->left.n, sizeof(*r->left.v), by_place);
	for (size_t i = 0, n; i < r->left.n; i += n) {
		n = group_of(&r->left.v[i], r->left.n - i);
		*vec_push(&groups) = (struct group){&r->left.v[i], n};
	}
	if (groups.n)
		qsort(groups.v, groups.n, sizeof(*groups.v), by_count);
	strbuf_printf(b, "Descriptors that stayed open: %zu", r->left.n);
	if (groups.n)
		strbuf_printf(b, ", opened in %zu place%s", groups.n, groups.n == 1 ? "" : "s");
	strbuf_putc(b, '\n');
	vec_for_each (&groups, g) {
		const struct left *l = g->first;
		const size_t count = g->count;

		strbuf_printf(b, "Process %d: %zu descriptor%s", (int)l->pid, count,
			      count == 1 ? "" : "s");
		place_put(r->places, b, " opened by ", &l->opened);
		strbuf_putc(b, ':');
		for (size_t k = 0; k < count && k < NAMED_MAX; k++) {
			strbuf_putc(b, ' ');
			put_fd(b, l[k].fd, l[k].path);
		}
		strbuf_puts(b, count > NAMED_MAX ? " ...\n" : "\n");
		place_put_stack(r->places, b, &l->opened);
	}
	vec_deinit(&groups);
}

static void put_twice(struct fd_report *r, struct strbuf *b)
{
	strbuf_printf(b, "Descriptors that were closed twice: %zu\n", r->twice.n);
	vec_for_each (&r->twice, t) {
		strbuf_printf(b, "Process %d: ", (int)t->pid);
		put_fd(b, t->fd, t->path);
		place_put(r->places, b, " opened by ", &t->opened);
		strbuf_putc(b, '\n');
		place_put_stack(r->places, b, &t->opened);
		place_put(r->places, b, "closed by ", &t->closed);
		strbuf_putc(b, '\n');
		place_put_stack(r->places, b, &t->closed);
		place_put(r->places, b, "closed again by ", &t->again);
		strbuf_putc(b, '\n');
		place_put_stack(r->places, b, &t->again);
	}
}

static void report_event(struct sink *s, const struct event *e)
{
	struct fd_report *r = report_of(s);

	switch (e->kind) {
	case EVENT_SYSCALL:
		report_call(r, event_syscall(e));
		break;
	case EVENT_OTHER:
		/*
		 * A direct descriptor is in the file table of an io_uring. It is not a descriptor
		 * of the process, so ignore the request.
		 */
		if (e->request && !e->request->direct)
			report_call(r, event_syscall(e));
		break;
	case EVENT_PROCESS:
		report_process(r, event_process(e));
		break;
	case EVENT_LOST:
		r->lost += event_lost(e)->count;
		break;
	default:
		break;
	}
}

static int report_end(struct sink *s)
{
	struct fd_report *r = report_of(s);
	struct strbuf b = {0};
	struct process *p;
	int err;

	while ((p = threads_take(&r->processes)))
		process_end(r, p);
	put_left(r, &b);
	put_twice(r, &b);
	if (r->lost)
		strbuf_printf(&b, "%llu event%s lost: the lists above may be incomplete or wrong\n",
			      (unsigned long long)r->lost, r->lost == 1 ? " was" : "s were");
	err = r->write(r->ctx, b.data, b.len);
	strbuf_deinit(&b);
	vec_for_each (&r->left, l)
		free(l->path);
	vec_for_each (&r->twice, t)
		free(t->path);
	vec_deinit(&r->left);
	vec_deinit(&r->twice);
	threads_deinit(&r->processes);
	places_destroy(r->places);
	free(r);
	return err;
}

static const struct sink_ops report_ops = {
	.event = report_event,
	.thread_end = report_thread_end,
	.end = report_end,
};

struct sink *fd_report_create(int (*write)(void *ctx, const char *text, size_t n), void *ctx)
{
	struct fd_report *r = mem_zalloc(sizeof(*r));

	r->base.ops = &report_ops;
	r->base.unwatched = true;
	r->write = write;
	r->ctx = ctx;
	r->places = places_create();
	return &r->base;
}
