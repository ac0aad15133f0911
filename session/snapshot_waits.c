/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/snapshot_waits.h"

#include <fcntl.h>
#include <sys/file.h>

#include "capture/capture.h"
#include "capture/facts.h"
#include "decode/ipc/futex_holder.h"
#include "session/state.h"
#include "syscall.h"

/*
 * Maximum number of times that /proc/locks is read. The number is limited, because --snapshot stops
 * the threads during the reads.
 */
#define LOCKS_MAX 200
/* Maximum number of descriptors that are shown for an epoll instance. */
#define WATCHED_MAX 32
/*
 * F_SETLKW64 and F_OFD_SETLKW of asm-generic/fcntl.h. F_SETLKW64 exists only in 32-bit ABIs. It is
 * like F_SETLKW, but its argument is a struct flock64.
 */
#define SETLKW64   14
#define OFD_SETLKW 38

struct foreign waits_command(struct waits *w, struct tcb *tcb)
{
	const pid_t process = tcb_tgid(tcb);
	char text[FACT_COMMAND_MAX];

	if (process != w->process) {
		w->process = process;
		w->command = foreign(fact_command(tcb->facts, process, text, sizeof(text))
					     ? arena_strdup(&w->arena, text)
					     : NULL);
	}
	return w->command;
}

/* ---- futexes ---- */

/*
 * Returns the thread with the id f->number if the call may be waiting for this thread, otherwise 0.
 */
static pid_t find_thread(struct session *s, struct tcb *tcb, const struct futex_wait *f)
{
	pid_t tid = fact_pid(s->facts, tcb->tid, PID_THREAD, f->number);
	struct tcb *found = tid > 0 ? capture_find(s->capture, tid) : NULL;
	char comm[16];

	if (tid <= 0)
		return 0;
	if (found && tcb_tgid(found) == f->process)
		return tid;
	return f->anywhere && fact_comm(s->facts, tid, comm) ? tid : 0;
}

/*
 * Returns the thread that holds the lock for which the call is waiting, or 0 if it is unknown. The
 * holder of a private futex is a thread of the same process. The holder of a shared futex may be
 * any thread.
 */
static pid_t futex_lock_holder(struct waits *w, struct tcb *tcb, struct memory *m)
{
	struct futex_wait f = {.process = tcb_tgid(tcb)};

	f.number = futex_holder(m, tcb->syscall, &f.anywhere);
	if (f.number <= 0)
		return 0;
	if (f.process != w->last.process || f.number != w->last.number ||
	    f.anywhere != w->last.anywhere) {
		f.tid = find_thread(w->session, tcb, &f);
		w->last = f;
	}
	return w->last.tid;
}

static pid_t joined_thread(struct waits *w, struct tcb *tcb, struct memory *m)
{
	struct futex_wait f = {.process = tcb_tgid(tcb)};
	pid_t tid;

	f.number = futex_joined(m, tcb->syscall);
	tid = f.number > 0 ? find_thread(w->session, tcb, &f) : 0;
	return tid == tcb->tid ? 0 : tid;
}

/* ---- locks on files ---- */

static bool member(const struct value *v, const char *name, int64_t *n)
{
	const struct value *m = value_member(v, name);

	if (m)
		*n = (int64_t)m->num;
	return m;
}

/*
 * Sets *lock to the lock that a struct flock describes. Returns false if the struct could not be
 * read, or if its range is relative to the file's offset or end, which are unknown.
 */
static bool read_flock(const struct value *v, struct file_lock *lock)
{
	int64_t type, whence, len;

	if (!v || v->kind != VALUE_STRUCT || !member(v, "l_type", &type) ||
	    !member(v, "l_whence", &whence) || !member(v, "l_start", &lock->start) ||
	    !member(v, "l_len", &len) || whence != SEEK_SET)
		return false;
	lock->write = type == F_WRLCK;
	lock->end = INT64_MAX;
	if (len < 0) { /* the range ends before l_start */
		lock->end = lock->start;
		if (__builtin_add_overflow(lock->start, len, &lock->start))
			return false;
	} else if (len && __builtin_add_overflow(lock->start, len, &lock->end)) {
		lock->end = INT64_MAX;
	}
	lock->end -= len != 0 && lock->end != INT64_MAX;
	return true;
}

/* If the call waits for a lock on a file, sets *lock to that lock and returns true. */
static bool wanted_lock(const struct syscall_event *ev, struct file_lock *lock)
{
	switch (ev->row) {
	case ROW_flock:
		*lock = (struct file_lock){
			.kind = LOCK_OF_FILE, .write = ev->raw_args[1] & LOCK_EX, .end = INT64_MAX};
		return true;
	case ROW_fcntl:
	case ROW_fcntl64:
		if (ev->raw_args[1] != F_SETLKW && ev->raw_args[1] != SETLKW64 &&
		    ev->raw_args[1] != OFD_SETLKW)
			return false;
		lock->kind = ev->raw_args[1] == OFD_SETLKW ? LOCK_OF_DESCRIPTION : LOCK_OF_PROCESS;
		return ev->base.nargs == 3 && read_flock(ev->base.args[2].in, lock);
	default:
		return false;
	}
}

static pid_t file_lock_holder(struct waits *w, struct tcb *tcb)
{
	const struct syscall_event *ev = tcb->syscall;
	struct file_lock lock;

	if (!wanted_lock(ev, &lock) || w->locks++ >= LOCKS_MAX)
		return 0;
	return fact_lock_holder(w->session->facts, tcb->tid, (int)ev->raw_args[0], &lock);
}

/* ---- epoll ---- */

static const struct value *find_epoll_descriptors(struct waits *w, struct tcb *tcb)
{
	const struct syscall_event *ev = tcb->syscall;
	int fds[WATCHED_MAX];
	struct value *v;
	bool more;
	size_t n;

	if (ev->row != ROW_epoll_wait && ev->row != ROW_epoll_pwait && ev->row != ROW_epoll_pwait2)
		return NULL;
	n = fact_epoll(tcb->facts, tcb->tid, (int)ev->raw_args[0], fds, WATCHED_MAX, &more);
	if (!n)
		return NULL;
	v = syscall_describe_fds(tcb, &w->session->decode, fds, n);
	if (more)
		v->flags |= VALUE_F_MORE;
	return v;
}

void waits_find_holder(struct waits *w, struct tcb *tcb, struct memory *m, struct snapshot *shot)
{
	shot->holder = futex_lock_holder(w, tcb, m);
	if (!shot->holder)
		shot->holder = file_lock_holder(w, tcb);
	if (!shot->holder)
		shot->joined = joined_thread(w, tcb, m);
}

void waits_find(struct waits *w, struct tcb *tcb, struct snapshot *shot)
{
	waits_find_holder(w, tcb, tcb->memory, shot);
	shot->watched = find_epoll_descriptors(w, tcb);
}

void waits_deinit(struct waits *w)
{
	arena_reset(&w->arena);
}
