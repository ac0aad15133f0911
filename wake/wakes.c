/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wake/wakes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "event/find.h"
#include "linux/syscall_desc.h"
#include "util/clock.h"
#include "util/mem.h"
#include "wake/actions.h"
#include "wake/keys.h"
#include "wake/posts.h"

/*
 * If no waker is found, a call that does not always wait, such as read(2), counts as a wait only if
 * it took at least this long, in nanoseconds.
 */
#define WAIT_NS 1000000
/* Maximum number of descriptors to remember as members of epoll instances. */
#define MEMBERS 8192
/* Maximum number of threads whose child_tid to remember. */
#define CHILDREN 4096
/* Maximum number of ends of socket pairs to remember. */
#define PAIRED 4096

/* A descriptor that was added to an epoll instance. */
struct member {
	uint64_t end;	   /* id of the end (struct end) to which the descriptor refers */
	wake_key instance; /* key of the epoll instance */
};

/*
 * A new thread, and the word of memory that the kernel clears when that thread ends (child_tid, see
 * clone(2)). The kernel then also wakes the threads that wait for this word with futex(2).
 */
struct child {
	wake_key word;
	pid_t tid;
};

/* The two ends of a pair of sockets that socketpair(2) has created. */
struct paired {
	uint64_t self, other; /* ids of the two ends, as in struct end */
};

struct wakes {
	struct posts *posts;
	bool exact;	  /* true if the engine reports context switches and wake-ups */
	uint8_t *actions; /* for each row of syscall_descs, the row's enum action */
	/* A hash table, indexed by `end`. A new member overwrites the old member in its slot. */
	struct member members[MEMBERS];
	/* A hash table, indexed by `word`. */
	struct child children[CHILDREN];
	/* A hash table, indexed by `self`. */
	struct paired paired[PAIRED];
	bool locks; /* true if a file lock has been requested, so that closing a file can release a
		       lock */
};

/* State of the search for the cause of a wake-up. */
struct wait {
	struct wakes *w;
	const struct syscall_event *e;
	int64_t begin, end; /* CLOCK_MONOTONIC times in ns */
	struct wakeup *found;
};

struct wakes *wakes_create(bool exact)
{
	struct wakes *w = mem_zalloc(sizeof(*w));

	w->exact = exact;
	w->posts = posts_create();
	w->actions = actions_create();
	return w;
}

void wakes_destroy(struct wakes *w)
{
	if (!w)
		return;
	posts_destroy(w->posts);
	free(w->actions);
	free(w);
}

static enum action action_of(const struct wakes *w, const struct syscall_event *e)
{
	return e->row >= 0 ? (enum action)w->actions[e->row] : NOTHING;
}

/*
 * Does the same as end_of(), but also finds the other end of a pair that was created by
 * socketpair(2).
 */
static struct end find_ends(const struct wakes *w, const struct syscall_event *e,
			    const struct value *fd)
{
	struct end end = end_of(fd, e->base.tgid);
	const struct paired *p = &w->paired[end.self % PAIRED];

	if (end.self && !end.other && p->self == end.self)
		end.other = p->other;
	return end;
}

static struct end end_at(const struct wakes *w, const struct syscall_event *e, unsigned arg)
{
	return find_ends(w, e, event_argument_at(&e->base, arg, false));
}

/* Records the two ends that socketpair(2) has created. */
static void record_pair(struct wakes *w, const struct syscall_event *e)
{
	const struct value *v = event_argument_at(&e->base, 3, true);
	struct end a, b;

	if (!v || v->kind != VALUE_ARRAY || !v->child || !v->child->next)
		return;
	a = end_of(v->child, e->base.tgid);
	b = end_of(v->child->next, e->base.tgid);
	if (!a.self || !b.self)
		return;
	w->paired[a.self % PAIRED] = (struct paired){a.self, b.self};
	w->paired[b.self % PAIRED] = (struct paired){b.self, a.self};
}

static wake_key instance_key(const struct syscall_event *e)
{
	return wake_key_of(AWAIT_EPOLL, (uint64_t)e->base.tgid, (uint32_t)e->raw_args[0]);
}

/* Adds a post for the current call. If `limit` is 0, the result of the call is the limit. */
static void add_post(struct wakes *w, struct wake_thread *t, const struct syscall_event *e,
		     wake_key key, enum wake_cause cause, int32_t limit)
{
	if (t->nposts == WAKE_POSTS_MAX)
		return;
	t->posts[t->nposts].limit = limit;
	t->posts[t->nposts++].number =
		posts_add(w->posts, key, cause, &e->base, timespec_ns(e->base.mono),
			  limit ? limit : POST_ALL);
}

/*
 * Adds a post for an event at one end and, if an epoll instance watches this end, another post for
 * that instance. Does nothing if `end` is 0.
 */
static void post_end(struct wakes *w, struct wake_thread *t, const struct syscall_event *e,
		     enum awaited event, uint64_t end, enum wake_cause cause, int32_t limit)
{
	const struct member *m = &w->members[end % MEMBERS];

	if (!end)
		return;
	add_post(w, t, e, wake_key_of(event, end, 0), cause, limit);
	if (m->end == end)
		add_post(w, t, e, m->instance, cause, POST_ALL);
}

static wake_key futex_key(const struct syscall_event *e, unsigned arg)
{
	const uint64_t address = e->raw_args[arg];

	if (e->raw_args[1] & FUTEX_PRIVATE_FLAG)
		return wake_key_of(AWAIT_FUTEX, (uint64_t)e->base.tgid, address);
	/*
	 * Processes may map shared memory at different addresses, but the offset within a page is
	 * the same.
	 */
	return wake_key_of(AWAIT_SHARED_FUTEX, address & 0xfff, 0);
}

static void enter_futex(struct wakes *w, struct wake_thread *t, const struct syscall_event *e)
{
	switch (e->raw_args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		add_post(w, t, e, futex_key(e, 0), WAKE_FUTEX, 0);
		break;
	case FUTEX_WAKE_OP:
		add_post(w, t, e, futex_key(e, 0), WAKE_FUTEX, 0);
		add_post(w, t, e, futex_key(e, 4), WAKE_FUTEX, 0);
		break;
	case FUTEX_UNLOCK_PI:
		add_post(w, t, e, futex_key(e, 0), WAKE_FUTEX, 1);
		break;
	}
}

static bool is_lock_command(uint64_t command)
{
	switch (command) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
	case 13: /* F_SETLK64 and F_SETLKW64 in 32-bit ABIs */
	case 14:
		return true;
	}
	return false;
}

/*
 * Returns true if a call for file locks releases a lock. Sets *locks to true if the call acquires
 * one, otherwise to false.
 */
static bool releases(const struct wakes *w, const struct syscall_event *e, bool *locks)
{
	const struct value *v;
	value_number type;
	unsigned bits;

	*locks = false;
	if (action_of(w, e) == FLOCK) {
		*locks = !(e->raw_args[1] & LOCK_UN);
		return !*locks;
	}
	v = event_argument_at(&e->base, 2, false);
	if (!is_lock_command(e->raw_args[1]) || !v || v->kind != VALUE_STRUCT)
		return false;
	v = value_member(v, "l_type");
	if (!v || !value_as_number(v, &type, &bits))
		return false;
	*locks = type != F_UNLCK;
	return !*locks;
}

static void enter_lock(struct wakes *w, struct wake_thread *t, const struct syscall_event *e)
{
	const uint64_t file = file_of(event_argument_at(&e->base, 0, false));
	bool locks = false;

	if (file && releases(w, e, &locks))
		add_post(w, t, e, wake_key_of(AWAIT_LOCK, file, 0), WAKE_LOCK, POST_ALL);
	w->locks |= locks;
}

static void enter_close(struct wakes *w, struct wake_thread *t, const struct syscall_event *e)
{
	const struct value *fd = event_argument_at(&e->base, 0, false);
	const struct end end = find_ends(w, e, fd);

	post_end(w, t, e, AWAIT_CLOSE, end.other, end.cause, POST_ALL);
	if (w->locks && !end.self)
		add_post(w, t, e, wake_key_of(AWAIT_LOCK, file_of(fd), 0), WAKE_LOCK, POST_ALL);
}

static void enter_connect(struct wakes *w, struct wake_thread *t, const struct syscall_event *e)
{
	const uint64_t address = connect_of(e);

	if (address)
		add_post(w, t, e, wake_key_of(AWAIT_LISTEN, address, 0), WAKE_SOCKET, POST_ALL);
}

static void enter_epoll_ctl(struct wakes *w, const struct syscall_event *e)
{
	const uint64_t end = end_at(w, e, 2).self;

	if (end && e->raw_args[1] != EPOLL_CTL_DEL)
		w->members[end % MEMBERS] =
			(struct member){.end = end, .instance = instance_key(e)};
}

void wakes_enter(struct wakes *w, struct wake_thread *t, const struct syscall_event *e)
{
	struct end end;

	t->nposts = 0;
	switch (action_of(w, e)) {
	case READS:
		end = end_at(w, e, 0);
		post_end(w, t, e, AWAIT_SPACE, end.other, end.cause, 1);
		break;
	case WRITES:
		end = end_at(w, e, 0);
		post_end(w, t, e, AWAIT_DATA, end.other, end.cause, 1);
		break;
	case CLOSES:
		enter_close(w, t, e);
		break;
	case EPOLL_CTL:
		enter_epoll_ctl(w, e);
		break;
	case CONNECTS:
		enter_connect(w, t, e);
		break;
	case FUTEX:
		enter_futex(w, t, e);
		break;
	case KILLS:
	case KILLS_THREAD:
		add_post(w, t, e,
			 wake_key_of(AWAIT_SIGNAL,
				     (uint32_t)e->raw_args[action_of(w, e) == KILLS ? 0 : 1], 0),
			 WAKE_SIGNAL, POST_ALL);
		break;
	case EXITS:
		add_post(w, t, e, wake_key_of(AWAIT_EXIT, (uint64_t)e->base.tid, 0), WAKE_THREAD,
			 POST_ALL);
		break;
	case EXECS:
		add_post(w, t, e, wake_key_of(AWAIT_EXEC, (uint64_t)e->base.tgid, 0), WAKE_CHILD,
			 POST_ALL);
		break;
	case FLOCK:
	case FCNTL:
		enter_lock(w, t, e);
		break;
	default:
		break;
	}
}

static bool find(struct wait *wait, wake_key key, unsigned choice)
{
	return posts_find(wait->w->posts, key, wait->e->base.tid, wait->begin, wait->end, choice,
			  wait->found);
}

/*
 * Finds the event that has ended the wait, at one end of a pipe or connection. If another event has
 * already been found, keeps the earlier of the two. Returns false if there is no event at this end.
 */
static bool find_end(struct wait *wait, enum awaited event, uint64_t end, unsigned choice)
{
	const struct wakeup before = *wait->found;

	if (!end || !find(wait, wake_key_of(event, end, 0), choice))
		return false;
	if (before.at && before.at < wait->found->at)
		*wait->found = before;
	return true;
}

/* Sets a cause that does not involve another thread. Returns true. */
static bool set_cause(struct wait *wait, enum wake_cause cause)
{
	*wait->found = (struct wakeup){.cause = cause, .inferred = true, .at = wait->end};
	return true;
}

/*
 * For a wait that no call of another thread ended: if the waiting call took at least WAIT_NS, sets
 * the cause and returns true.
 */
static bool set_cause_if_long(struct wait *wait, enum wake_cause cause)
{
	return wait->end - wait->begin >= WAIT_NS && set_cause(wait, cause);
}

static bool find_signal(struct wait *wait)
{
	const struct event *e = &wait->e->base;

	return find(wait, wake_key_of(AWAIT_SIGNAL, (uint32_t)e->tid, 0), 0) ||
	       find(wait, wake_key_of(AWAIT_SIGNAL, (uint32_t)e->tgid, 0), 0) ||
	       set_cause(wait, WAKE_SIGNAL);
}

static bool find_child(struct wait *wait, enum awaited event, uint64_t pid)
{
	if (!find(wait, wake_key_of(event, (uint32_t)pid, 0), 0))
		return false;
	wait->found->cause = WAKE_CHILD;
	return true;
}

static bool find_reaped(struct wait *wait)
{
	const struct value *info, *pid;
	value_number n;
	unsigned bits;

	if (wait->e->raw_args[action_of(wait->w, wait->e) == REAPS ? 2 : 3] & WNOHANG)
		return false;
	if (action_of(wait->w, wait->e) == REAPS)
		return wait->e->base.ret > 0 &&
		       find_child(wait, AWAIT_EXIT, (uint64_t)wait->e->base.ret);
	info = event_argument_at(&wait->e->base, 2, true);
	pid = info && info->kind == VALUE_STRUCT ? value_member(info, "si_pid") : NULL;
	return pid && value_as_number(pid, &n, &bits) && find_child(wait, AWAIT_EXIT, (uint64_t)n);
}

/*
 * Finds the exit of the process that last sent data to `end`. Its exit may have closed the opposite
 * end.
 */
static bool find_last_writer(struct wait *wait, struct end end)
{
	const pid_t tgid = posts_last(wait->w->posts, wake_key_of(AWAIT_DATA, end.self, 0),
				      wait->e->base.tgid);

	if (!tgid || !find(wait, wake_key_of(AWAIT_EXIT, (uint32_t)tgid, 0), POST_LATEST))
		return false;
	wait->found->cause = end.cause;
	return true;
}

/*
 * Finds the event that closed the end opposite to `end`: the last close(2) of the opposite end, or
 * the exit of the process that last wrote to it, whichever came later. Earlier closes did not end
 * the wait, because another process still had the opposite end open.
 */
static bool find_close(struct wait *wait, struct end end)
{
	const bool closed = find_end(wait, AWAIT_CLOSE, end.self, POST_LATEST);
	const struct wakeup close = *wait->found;
	const bool ended = find_last_writer(wait, end);

	if (closed && (!ended || close.at > wait->found->at))
		*wait->found = close;
	return closed || ended;
}

static bool find_read(struct wait *wait)
{
	const struct end end = end_at(wait->w, wait->e, 0);

	if (end.self && (wait->e->base.ret ? find_end(wait, AWAIT_DATA, end.self, POST_TAKEN)
					   : find_close(wait, end)))
		return true;
	return set_cause_if_long(wait, end.cause == WAKE_TIMER ? WAKE_TIMER : WAKE_OUTSIDE);
}

/*
 * Finds the read that made space for a write. Ignores a read that was already waiting when the
 * write began, because such a read made no space.
 */
static bool find_write(struct wait *wait)
{
	return find_end(wait, AWAIT_SPACE, end_at(wait->w, wait->e, 0).self,
			POST_TAKEN | POST_DURING) ||
	       set_cause_if_long(wait, WAKE_OUTSIDE);
}

static bool find_fd(struct wait *wait, const struct value *fd, enum awaited event)
{
	struct end end;

	if (fd && fd->kind == VALUE_INDEXED)
		fd = fd->child->next;
	end = find_ends(wait->w, wait->e, fd);
	return find_end(wait, event, end.self, event == AWAIT_SPACE ? POST_DURING : 0);
}

static bool find_polled(struct wait *wait)
{
	const struct value *fds = event_argument_at(&wait->e->base, 0, false);
	bool found = false;

	if (!fds || fds->kind != VALUE_ARRAY)
		return false;
	value_for_each(fds, v)
	{
		const struct value *fd = v->kind == VALUE_STRUCT ? value_member(v, "fd") : NULL;

		found |= find_fd(wait, fd, AWAIT_DATA);
		found |= find_fd(wait, fd, AWAIT_CLOSE);
		found |= find_fd(wait, fd, AWAIT_SPACE);
	}
	return found;
}

static bool find_selected(struct wait *wait)
{
	bool found = false;

	for (unsigned arg = 1; arg <= 2; arg++) {
		const struct value *fds = event_argument_at(&wait->e->base, arg, false);

		if (!fds || fds->kind != VALUE_BITSET)
			continue;
		value_for_each(fds, fd) found |=
			find_fd(wait, fd, arg == 1 ? AWAIT_DATA : AWAIT_SPACE);
	}
	return found;
}

/*
 * Ends the search for the cause of a wait for descriptors. If no descriptor became ready, the cause
 * is the call's timeout. If a descriptor became ready, but not because of a traced call, the cause
 * is outside of the traced programs. After a short call, these two causes are not set, and the
 * function returns false.
 */
static bool end_descriptor_search(struct wait *wait, bool found)
{
	if (wait->e->base.ret == 0)
		return set_cause_if_long(wait, WAKE_TIMER);
	return found || set_cause_if_long(wait, WAKE_OUTSIDE);
}

static wake_key child_word(const struct syscall_event *e, uint64_t address)
{
	return wake_key_of(AWAIT_EXIT, (uint64_t)e->base.tgid, address);
}

/* Records the child_tid of a new thread. */
static void record_child(struct wakes *w, const struct syscall_event *e)
{
	const struct value *v = event_argument_at(&e->base, 0, false);
	wake_key word;

	/*
	 * The kernel writes parent_tid during the call, so the value of struct clone_args may be a
	 * VALUE_CHANGE.
	 */
	if (v && v->kind == VALUE_CHANGE)
		v = v->child;
	v = v && v->kind == VALUE_STRUCT ? value_member(v, "child_tid") : NULL;
	if (!v || v->kind != VALUE_ADDR)
		return;
	word = child_word(e, v->num);
	w->children[word % CHILDREN] = (struct child){word, (pid_t)e->base.ret};
}

/*
 * Finds the thread for which a futex(2) call has waited. pthread_join(3) waits on the word
 * child_tid of the thread to join. Before glibc 2.43, this word contains the tid of that thread, so
 * the expected value of the futex (raw_args[2]) is the tid.
 */
static bool find_futex(struct wait *wait)
{
	const struct syscall_event *e = wait->e;
	const wake_key word = child_word(e, e->raw_args[0]);
	const struct child *child = &wait->w->children[word % CHILDREN];
	const uint32_t tid = child->word == word ? (uint32_t)child->tid : (uint32_t)e->raw_args[2];

	switch (e->raw_args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return find(wait, futex_key(e, 0), POST_TAKEN) ||
		       find(wait, wake_key_of(AWAIT_EXIT, tid, 0), 0);
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI:
		return find(wait, futex_key(e, 0), POST_TAKEN);
	}
	return false;
}

/*
 * Finds the thread that released a file lock: a thread that unlocked the lock or, if none is known
 * and the wait was long, a thread that is known to have held the lock.
 */
static bool find_lock(struct wait *wait)
{
	const struct syscall_event *e = wait->e;
	const uint64_t file = file_of(event_argument_at(&e->base, 0, false));
	bool locks;

	releases(wait->w, e, &locks);
	if (!locks || !file)
		return false;
	return find(wait, wake_key_of(AWAIT_LOCK, file, 0), 0) ||
	       (wait->end - wait->begin >= WAIT_NS &&
		find(wait, wake_key_of(AWAIT_HELD, file, 0), 0));
}

/* Returns true if a call that creates a process waits until the child calls execve or ends. */
static bool waits_for_child(const struct syscall_event *e)
{
	const struct value *v;
	value_number flags = 0;
	unsigned bits;

	if (e->row == ROW_vfork)
		return true;
	if (e->row == ROW_clone)
		return e->raw_args[0] & CLONE_VFORK;
	v = event_argument_at(&e->base, 0, false);
	v = v && v->kind == VALUE_STRUCT ? value_member(v, "flags") : NULL;
	return v && value_as_number(v, &flags, &bits) && flags & CLONE_VFORK;
}

static bool find_success(struct wait *wait)
{
	struct wakes *w = wait->w;
	const struct syscall_event *e = wait->e;
	uint64_t address;

	switch (action_of(w, e)) {
	case READS:
		return find_read(wait);
	case WRITES:
		return find_write(wait);
	case POLLS:
		return end_descriptor_search(wait, e->base.ret > 0 && find_polled(wait));
	case SELECTS:
		return end_descriptor_search(wait, e->base.ret > 0 && find_selected(wait));
	case EPOLL_WAITS:
		return end_descriptor_search(wait,
					     e->base.ret > 0 && find(wait, instance_key(e), 0));
	case ACCEPTS:
		address = listen_of(event_argument_at(&e->base, 0, false));
		return (address && find(wait, wake_key_of(AWAIT_LISTEN, address, 0), POST_TAKEN)) ||
		       set_cause_if_long(wait, WAKE_OUTSIDE);
	case CONNECTS:
		return set_cause_if_long(wait, WAKE_OUTSIDE);
	case FUTEX:
		return find_futex(wait);
	case REAPS:
	case REAPS_INFO:
		return find_reaped(wait);
	case CREATES:
		return e->base.ret > 0 && waits_for_child(e) &&
		       (find_child(wait, AWAIT_EXEC, (uint64_t)e->base.ret) ||
			find_child(wait, AWAIT_EXIT, (uint64_t)e->base.ret));
	case SLEEPS:
		return set_cause(wait, WAKE_TIMER);
	case SUSPENDS:
		return find_signal(wait);
	case FLOCK:
	case FCNTL:
		return find_lock(wait);
	default:
		return false;
	}
}

static bool find_failure(struct wait *wait)
{
	const struct event *e = &wait->e->base;
	const enum action action = action_of(wait->w, wait->e);

	if (action == NOTHING)
		return false;
	if (e->ret_kind == RET_RESTART || e->ret == EINTR)
		return find_signal(wait);
	if ((action == FUTEX && e->ret == ETIMEDOUT) || (action == SUSPENDS && e->ret == EAGAIN))
		return set_cause(wait, WAKE_TIMER);
	/* A write to a pipe fails with EPIPE when the last reader closes the pipe. */
	return action == WRITES && e->ret == EPIPE &&
	       find_end(wait, AWAIT_CLOSE, end_at(wait->w, wait->e, 0).self, 0);
}

/*
 * Returns the cause of a wait for descriptors, assuming that another thread ended the wait.
 * Examines only the first descriptor. Returns WAKE_OUTSIDE if that descriptor is unknown.
 */
static enum wake_cause cause_of_polled(const struct syscall_event *e)
{
	const struct value *fds = event_argument_at(&e->base, 0, false);

	if (!fds || fds->kind != VALUE_ARRAY || !fds->child || fds->child->kind != VALUE_STRUCT)
		return WAKE_OUTSIDE;
	return end_of(value_member(fds->child, "fd"), e->base.tgid).cause;
}

/* Describes a call in which the thread was blocked. */
static struct slept_call describe_slept(const struct wakes *w, const struct syscall_event *e)
{
	const enum action action = action_of(w, e);
	const bool fails = e->base.ret_kind != RET_VALUE;
	struct slept_call c = {.cause = WAKE_OUTSIDE};

	c.interrupted = e->base.ret_kind == RET_RESTART || (fails && e->base.ret == EINTR);
	switch (action) {
	case READS:
	case WRITES:
		c.cause = end_at(w, e, 0).cause;
		break;
	case POLLS:
		c.cause = cause_of_polled(e);
		/* fall through */
	case SELECTS:
	case EPOLL_WAITS:
		c.polls = true;
		c.timed_out = !fails && !e->base.ret;
		break;
	case ACCEPTS:
	case CONNECTS:
		c.cause = WAKE_SOCKET;
		break;
	case FUTEX:
		c.cause = WAKE_FUTEX;
		c.timed_out = fails && e->base.ret == ETIMEDOUT;
		break;
	case REAPS:
	case REAPS_INFO:
	case CREATES:
		c.cause = WAKE_CHILD;
		break;
	case SLEEPS:
		c.cause = WAKE_TIMER;
		break;
	case SUSPENDS:
		c.cause = WAKE_SIGNAL;
		c.timed_out = fails && e->base.ret == EAGAIN;
		break;
	case FLOCK:
	case FCNTL:
		c.cause = WAKE_LOCK;
		break;
	case COMPLETES:
		c.cause = WAKE_URING;
		break;
	default:
		break;
	}
	return c;
}

/* Marks the posts of a thread's call as ended, and sets how many threads they may have woken. */
static void settle(struct wakes *w, struct wake_thread *t, const struct syscall_event *e,
		   int64_t end)
{
	const bool failed = e->base.ret_kind != RET_VALUE;

	for (unsigned i = 0; i < t->nposts; i++) {
		int32_t limit = t->posts[i].limit;

		if (!limit)
			limit = e->base.ret < POST_ALL ? (int32_t)e->base.ret : POST_ALL;
		/*
		 * A failed call does not wake any thread, unless it has begun a connection
		 * (EINPROGRESS) or closed a descriptor.
		 */
		if (failed && e->base.ret != EINPROGRESS && action_of(w, e) != CLOSES)
			limit = 0;
		posts_settle(w->posts, t->posts[i].number, end, limit);
	}
	t->nposts = 0;
}

/* Records that the thread now holds a lock. */
static void record_lock(struct wakes *w, const struct syscall_event *e, int64_t end)
{
	const uint64_t file = file_of(event_argument_at(&e->base, 0, false));
	bool locks;

	releases(w, e, &locks);
	if (locks && file)
		posts_add(w->posts, wake_key_of(AWAIT_HELD, file, 0), WAKE_LOCK, &e->base, end,
			  POST_ALL);
}

const struct wakeup *wakes_leave(struct wakes *w, struct wake_thread *t,
				 const struct syscall_event *e)
{
	struct wait wait = {.w = w, .e = e, .begin = timespec_ns(e->base.mono), .found = &t->found};
	bool found;

	/*
	 * Keep the posts of a thread that ended inside the call, because its end wakes other
	 * threads.
	 */
	if (e->base.ret_kind == RET_NONE)
		return NULL;
	wait.end = wait.begin + timespec_ns(e->base.duration);
	settle(w, t, e, wait.end);
	t->found = (struct wakeup){0};
	found = e->base.ret_kind == RET_VALUE ? find_success(&wait) : find_failure(&wait);
	if (e->base.ret_kind == RET_VALUE && (action_of(w, e) == FLOCK || action_of(w, e) == FCNTL))
		record_lock(w, e, wait.end);
	if (e->row == ROW_clone3 && e->base.ret_kind == RET_VALUE && e->base.ret > 0)
		record_child(w, e);
	if (action_of(w, e) == PAIRS && e->base.ret_kind == RET_VALUE)
		record_pair(w, e);
	if (w->exact) {
		const struct slept_call call = describe_slept(w, e);

		found = sleeps_explain(&t->sleeps, &call, w->posts, found, wait.found);
	}
	if (found && wait.found->at < wait.begin)
		wait.found->at = wait.begin;
	return found ? wait.found : NULL;
}

void wakes_exit(struct wakes *w, const struct wake_thread *t, const struct event *e)
{
	const int64_t now = timespec_ns(e->mono);
	const struct event who = {.tid = e->tid, .tgid = e->tgid};
	struct event exited = who;
	uint64_t number;

	memcpy(exited.comm, e->comm, sizeof(exited.comm));
	exited.name = "exit_group";
	number = posts_add(w->posts, wake_key_of(AWAIT_EXIT, (uint32_t)e->tid, 0), WAKE_THREAD,
			   &exited, now, POST_ALL);
	posts_settle(w->posts, number, now, POST_ALL);
	if (e->tid != e->tgid || !t->parent)
		return;
	number = posts_add(w->posts, wake_key_of(AWAIT_SIGNAL, (uint32_t)t->parent, 0), WAKE_CHILD,
			   &exited, now, POST_ALL);
	posts_settle(w->posts, number, now, POST_ALL);
}
