/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the cause that ended each wait. If the engine reports context switches and wake-ups, they
 * show who woke whom (wake/sleeps.h), and the waiting call shows why. Otherwise, the cause is
 * inferred from the calls of all threads: a call that can end the wait of another thread, such as a
 * write to a pipe, is recorded at its entry as a post (wake/posts.h). When a call that can wait has
 * ended, the post that ended the wait is looked up.
 *
 * Only calls that were passed to wakes_enter() and wakes_leave() are known. If a call of another
 * program ended a wait, the cause is reported as WAKE_OUTSIDE or is unknown.
 */
#ifndef TRACER_WAKE_WAKES_H
#define TRACER_WAKE_WAKES_H

#include "event/event.h"
#include "event/wakeup.h"
#include "wake/sleeps.h"

/* Maximum number of posts per call. */
#define WAKE_POSTS_MAX 6

/* The state of a thread. {0} before its first call. */
struct wake_thread {
	pid_t parent;	 /* the process that created this thread's process, or 0 */
	unsigned nposts; /* number of posts of the current call */
	struct {
		uint64_t number;
		int32_t limit; /* maximum number of threads that the post wakes if the call
				  succeeds; POST_ALL for no limit; 0 if the call's result is the
				  maximum */
	} posts[WAKE_POSTS_MAX];
	struct wakeup found;  /* the cause that ended the last wait */
	struct sleeps sleeps; /* the periods off the CPU during the current call */
};

struct wakes;
/* Creates the state. `exact` must be true if the engine reports context switches and wake-ups. */
struct wakes *wakes_create(bool exact);
void wakes_destroy(struct wakes *w);

/* Must be called at the entry of a call, after its arguments have been decoded. */
void wakes_enter(struct wakes *w, struct wake_thread *t, const struct syscall_event *e);
/*
 * Must be called when a call has ended. `e` must contain the duration and the result of the call.
 * Returns the cause that ended the wait, or NULL if the call did not wait or the cause is unknown.
 * The result is valid until the next call of this function.
 */
const struct wakeup *wakes_leave(struct wakes *w, struct wake_thread *t,
				 const struct syscall_event *e);
/* Must be called when a thread has ended. `e` contains its ids, its name and the time. */
void wakes_exit(struct wakes *w, const struct wake_thread *t, const struct event *e);

#endif
