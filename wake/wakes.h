/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Infers from the calls of all threads what ended the waits of each of them. A call that can end a
 * wait of another thread, such as a write to a pipe, is noted at its entry as a post
 * (wake/posts.h). When a call that can wait ends, the post that ended it is looked up.
 *
 * Only calls that are seen by wakes_enter() and wakes_leave() are known, so a wait that a call of
 * another program ended may be explained as WAKE_OUTSIDE or not at all.
 */
#ifndef TRACER_WAKE_WAKES_H
#define TRACER_WAKE_WAKES_H

#include "event/event.h"
#include "event/wakeup.h"

/* The maximum number of posts of one call. */
#define WAKE_POSTS_MAX 6

/* The state of a thread; {0} before its first call. */
struct wake_thread {
	pid_t parent;	 /* the process that created the thread's process, or 0 */
	unsigned nposts; /* posts of its current call */
	struct {
		uint64_t number;
		int32_t limit; /* the limit when the call succeeds; POST_ALL, or 0 for its result */
	} posts[WAKE_POSTS_MAX];
	struct wakeup found; /* what ended its last wait */
};

/*
 * The calls that must be seen, in the syntax of -e trace=, and the details of descriptors that
 * their values must have (decode/core/config.h: FD_PATH, FD_SOCKET and FD_EVENTFD).
 */
extern const char wake_calls[];

struct wakes;
struct wakes *wakes_create(void);
void wakes_destroy(struct wakes *w); /* w may be NULL */

/* Must be called at the entry of a call, after its arguments were decoded. */
void wakes_enter(struct wakes *w, struct wake_thread *t, const struct syscall_event *e);
/*
 * Must be called when the call has ended, with its duration and result. Returns what ended its
 * wait, which is valid until the next call; NULL if the call did not wait or the cause is unknown.
 */
const struct wakeup *wakes_leave(struct wakes *w, struct wake_thread *t,
				 const struct syscall_event *e);
/* Must be called when a thread has ended. e has its ids and name, and the time. */
void wakes_exit(struct wakes *w, const struct wake_thread *t, const struct event *e);

#endif
