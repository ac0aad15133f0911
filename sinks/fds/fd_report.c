/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/fds/fd_report.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>

#include "linux/syscall_desc.h"
#include "sinks/fds/fd_places.h"
#include "sinks/threads.h"
#include "unwind.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/strbuf.h"
#include "util/vec.h"

/* Descriptors with this number or a higher number are ignored. */
#define FD_MAX (1 << 20)
/* Maximum number of descriptors to list for one place. */
#define NAMED_MAX 8

const char fd_report_calls[] =
	"open,openat,openat2,creat,open_by_handle_at,open_tree,socket,socketpair,accept,accept4,"
	"recvmsg,recvmmsg,dup,dup2,dup3,fcntl,fcntl64,pipe,pipe2,close,close_range,epoll_create,"
	"epoll_create1,eventfd,eventfd2,signalfd,signalfd4,timerfd_create,inotify_init,"
	"inotify_init1,fanotify_init,memfd_create,memfd_secret,userfaultfd,perf_event_open,"
	"pidfd_open,pidfd_getfd,bpf,io_uring_setup,fsopen,fsmount,fspick,"
	"landlock_create_ruleset,mq_open,execve,execveat";

/* State of a descriptor of one process. */
struct slot {
	bool seen, open;
	bool inherited; /* inherited from the parent process */
	bool cloexec;
	char *path; /* NULL if unknown */
	struct place opened, closed;
};

struct process {
	pid_t pid;
	VEC(struct slot) slots; /* indexed by descriptor */
};

/* A descriptor that was left open, with the data to report. */
struct left {
	pid_t pid;
	int fd;
	char *path;
	struct place opened;
};

/* A close(2) of a descriptor that was not open. */
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

/* Returns the slot of a descriptor, or NULL if the descriptor is too large. */
static struct slot *slot_of(struct process *p, int64_t fd)
{
	if (fd < 0 || fd >= FD_MAX)
		return NULL;
	while (p->slots.n <= (size_t)fd)
		*vec_push(&p->slots) = (struct slot){0};
	return &p->slots.v[fd];
}

static void close_slot(struct slot *slot, struct place by)
{
	if (!slot || !slot->open)
		return;
	slot->open = false;
	slot->closed = by;
}

static void open_slot(struct slot *slot, const struct value *fd, struct place by, bool cloexec)
{
	if (!slot)
		return;
	free(slot->path);
	*slot = (struct slot){.seen = true, .open = true, .cloexec = cloexec, .opened = by};
	if (fd->str)
		slot->path = mem_strndup(fd->str, fd->len);
}

static void note_cloexec(void *ctx, const struct xlat_entry *e)
{
	static const char end[] = "_CLOEXEC";
	const size_t n = strlen(e->name);

	if (n > sizeof(end) - 1 && !strcmp(e->name + n - (sizeof(end) - 1), end))
		*(bool *)ctx = true;
}

/* Returns true if a flag of the call sets close-on-exec. All of these flags end in _CLOEXEC. */
static bool has_cloexec(const struct value *v)
{
	const char *name;
	bool found = false;

	switch ((enum value_kind)v->kind) {
	case VALUE_FLAGS:
		value_flags_split(v->table, v->num, note_cloexec, &found);
		return found;
	case VALUE_ENUM:
		name = value_enum_name(v);
		if (name)
			note_cloexec(&found, &(struct xlat_entry){.name = name});
		return found;
	case VALUE_OR:
	case VALUE_STRUCT:
		value_for_each(v, child) found |= has_cloexec(child);
		return found;
	default:
		return false;
	}
}

static bool call_has_cloexec(const struct syscall_event *e)
{
	for (unsigned i = 0; i < e->base.nargs; i++)
		if (e->base.args[i].in && has_cloexec(e->base.args[i].in))
			return true;
	/* These calls set close-on-exec for each descriptor that they create. */
	return !strncmp(e->base.name, "pidfd_", 6) || !strcmp(e->base.name, "bpf") ||
	       !strcmp(e->base.name, "io_uring_setup") ||
	       !strcmp(e->base.name, "landlock_create_ruleset");
}

/* Records that all descriptors in a value were opened. The call has stored the value in memory. */
static void open_all(struct process *p, const struct value *v, struct place by, bool cloexec)
{
	switch ((enum value_kind)v->kind) {
	case VALUE_FD:
		open_slot(slot_of(p, (int64_t)v->num), v, by, cloexec);
		break;
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_SEQ:
		value_for_each(v, child) open_all(p, child, by, cloexec);
		break;
	default:
		break;
	}
}

/* Returns true if the call stores new descriptors in memory. */
static bool fills_in(const struct syscall_event *e)
{
	return e->row == ROW_pipe || e->row == ROW_pipe2 || e->row == ROW_socketpair ||
	       e->row == ROW_recvmsg || e->row == ROW_recvmmsg;
}

static void on_close(struct fd_report *r, struct process *p, const struct syscall_event *e,
		     struct place by)
{
	const int fd = (int)e->raw_args[0];
	struct slot *slot = slot_of(p, fd);

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
		close_slot(slot, by);
}

static void on_close_range(struct process *p, const struct syscall_event *e, struct place by)
{
	const uint32_t first = (uint32_t)e->raw_args[0], last = (uint32_t)e->raw_args[1];

	for (size_t fd = first; fd <= last && fd < p->slots.n; fd++) {
		if (e->raw_args[2] & CLOSE_RANGE_CLOEXEC)
			p->slots.v[fd].cloexec = true;
		else
			close_slot(&p->slots.v[fd], by);
	}
}

static void on_success(struct process *p, const struct syscall_event *e, struct place by)
{
	struct slot *slot;

	if (e->row == ROW_close_range) {
		on_close_range(p, e, by);
		return;
	}
	if ((e->row == ROW_fcntl || e->row == ROW_fcntl64) && e->raw_args[1] == F_SETFD) {
		slot = slot_of(p, (int)e->raw_args[0]);
		if (slot)
			slot->cloexec = e->raw_args[2] & FD_CLOEXEC;
		return;
	}
	if (e->row == ROW_dup2 && e->raw_args[0] == e->raw_args[1])
		return;
	if (e->base.ret_value && e->base.ret_value->kind == VALUE_FD)
		open_slot(slot_of(p, e->base.ret), e->base.ret_value, by, call_has_cloexec(e));
	for (unsigned i = 0; fills_in(e) && i < e->base.nargs; i++)
		if (e->base.args[i].out)
			open_all(p, e->base.args[i].out, by, call_has_cloexec(e));
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
		on_success(p, e, by);
}

static void process_free(struct process *p)
{
	vec_for_each (&p->slots, slot)
		free(slot->path);
	vec_deinit(&p->slots);
	free(p);
}

/* Handles the end of a process, or its detachment. Records the descriptors that are still open. */
static void process_end(struct fd_report *r, struct process *p)
{
	for (size_t fd = 0; fd < p->slots.n; fd++) {
		struct slot *slot = &p->slots.v[fd];

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
	vec_for_each (&parent->slots, slot) {
		struct slot *copy = vec_push(&child->slots);

		*copy = *slot;
		copy->inherited = true;
		copy->path = slot->path ? mem_strdup(slot->path) : NULL;
	}
}

static void report_process(struct fd_report *r, const struct process_event *e)
{
	struct process *p = threads_find(&r->processes, e->base.tgid);

	if (e->kind == PROCESS_FORKED) {
		process_fork(r, e);
	} else if (e->kind == PROCESS_EXEC && p) {
		vec_for_each (&p->slots, slot)
			if (slot->cloexec)
				slot->open = slot->seen = false;
	}
}

static void report_thread_end(struct sink *s, const struct event *e)
{
	struct fd_report *r = report_of(s);
	struct process *p = threads_remove(&r->processes, e->tid);

	if (!p)
		return;
	/*
	 * Each new thread gets an entry, because it may be the first thread of a process. This
	 * thread belongs to an existing process, whose entry contains the descriptors, so drop the
	 * new entry.
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
 * `l` contains n descriptors, sorted by place. Returns how many of them were opened at the same
 * place as the first descriptor.
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
		 * of the process.
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
