/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/fds/fd_table.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "linux/syscall_desc.h"
#include "linux/syscall_rows.h"
#include "util/mem.h"

/* Descriptors with this number or a higher number are ignored. */
#define FD_MAX (1 << 20)

const char fd_table_calls[] =
	"open,openat,openat2,creat,open_by_handle_at,open_tree,socket,socketpair,accept,accept4,"
	"recvmsg,recvmmsg,dup,dup2,dup3,fcntl,fcntl64,ioctl,pipe,pipe2,close,close_range,epoll_"
	"create,"
	"epoll_create1,eventfd,eventfd2,signalfd,signalfd4,timerfd_create,inotify_init,"
	"inotify_init1,fanotify_init,memfd_create,memfd_secret,userfaultfd,perf_event_open,"
	"pidfd_open,pidfd_getfd,bpf,io_uring_setup,fsopen,fsmount,fspick,"
	"landlock_create_ruleset,mq_open,execve,execveat";

struct fd_slot *fd_slot_of(struct fd_table *t, int64_t fd)
{
	if (fd < 0 || fd >= FD_MAX)
		return NULL;
	while (t->slots.n <= (size_t)fd)
		*vec_push(&t->slots) = (struct fd_slot){0};
	return &t->slots.v[fd];
}

void fd_slot_close(struct fd_slot *slot, struct place by)
{
	if (!slot || !slot->open)
		return;
	slot->open = false;
	slot->closed = by;
}

static void open_slot(struct fd_slot *slot, const struct value *fd, struct place by, bool cloexec)
{
	if (!slot)
		return;
	free(slot->path);
	*slot = (struct fd_slot){.seen = true, .open = true, .cloexec = cloexec, .opened = by};
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
static void open_all(struct fd_table *t, const struct value *v, struct place by, bool cloexec)
{
	switch ((enum value_kind)v->kind) {
	case VALUE_FD:
		open_slot(fd_slot_of(t, (int64_t)v->num), v, by, cloexec);
		break;
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_SEQ:
		value_for_each(v, child) open_all(t, child, by, cloexec);
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

static void on_close_range(struct fd_table *t, const struct syscall_event *e, struct place by)
{
	const uint32_t first = (uint32_t)e->raw_args[0], last = (uint32_t)e->raw_args[1];

	for (size_t fd = first; fd <= last && fd < t->slots.n; fd++) {
		if (e->raw_args[2] & CLOSE_RANGE_CLOEXEC)
			t->slots.v[fd].cloexec = true;
		else
			fd_slot_close(&t->slots.v[fd], by);
	}
}

void fd_table_call(struct fd_table *t, const struct syscall_event *e, struct place by)
{
	struct fd_slot *slot;

	if (e->row == ROW_close_range) {
		on_close_range(t, e, by);
		return;
	}
	if ((e->row == ROW_fcntl || e->row == ROW_fcntl64) && e->raw_args[1] == F_SETFD) {
		slot = fd_slot_of(t, (int)e->raw_args[0]);
		if (slot)
			slot->cloexec = e->raw_args[2] & FD_CLOEXEC;
		return;
	}
	if (e->row == ROW_ioctl && (e->raw_args[1] == FIOCLEX || e->raw_args[1] == FIONCLEX)) {
		slot = fd_slot_of(t, (int)e->raw_args[0]);
		if (slot)
			slot->cloexec = e->raw_args[1] == FIOCLEX;
		return;
	}
	if (e->row == ROW_dup2 && e->raw_args[0] == e->raw_args[1])
		return;
	if (e->base.ret_value && e->base.ret_value->kind == VALUE_FD)
		open_slot(fd_slot_of(t, e->base.ret), e->base.ret_value, by, call_has_cloexec(e));
	for (unsigned i = 0; fills_in(e) && i < e->base.nargs; i++)
		if (e->base.args[i].out)
			open_all(t, e->base.args[i].out, by, call_has_cloexec(e));
}

void fd_table_copy(struct fd_table *child, const struct fd_table *parent)
{
	vec_for_each (&parent->slots, slot) {
		struct fd_slot *copy = vec_push(&child->slots);

		*copy = *slot;
		copy->inherited = true;
		copy->path = slot->path ? mem_strdup(slot->path) : NULL;
	}
}

void fd_table_exec(struct fd_table *t)
{
	vec_for_each (&t->slots, slot)
		if (slot->cloexec)
			slot->open = slot->seen = false;
}

void fd_table_deinit(struct fd_table *t)
{
	vec_for_each (&t->slots, slot)
		free(slot->path);
	vec_deinit(&t->slots);
}
