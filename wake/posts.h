/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stores recent calls that may have ended the wait of another thread, as posts. A post describes a
 * call that causes an event, such as data in a pipe or the end of a process. The event wakes the
 * threads that wait for the event. The number of posts is limited, so old posts are dropped.
 */
#ifndef TRACER_WAKE_POSTS_H
#define TRACER_WAKE_POSTS_H

#include "event/event.h"
#include "event/wakeup.h"

/*
 * Identifies an event that a thread waits for, such as data in a pipe; 0 if the event is
 * unknown. The functions in wake/keys.h create keys.
 */
typedef uint64_t wake_key;

/* The post may wake any number of threads. */
#define POST_ALL INT32_MAX
/* The end time of a post whose call is still running. */
#define POST_RUNNING INT64_MAX

struct posts;
struct posts *posts_create(void);
void posts_destroy(struct posts *p);

/*
 * Adds a post for a call by the thread of `e`. The call began at `begin`, is still running, and
 * wakes at most `limit` threads. Returns the number of the post, for posts_settle().
 */
uint64_t posts_add(struct posts *p, wake_key key, enum wake_cause cause, const struct event *e,
		   int64_t begin, int32_t limit);
/*
 * Must be called when the call of a post has ended. The call has woken at most `limit` threads.
 * Does nothing if the post was already dropped.
 */
void posts_settle(struct posts *p, uint64_t number, int64_t end, int32_t limit);
/* Flags for posts_find(). */
enum post_choice {
	POST_TAKEN = 1 << 0,  /* count this wait against the limit of the post */
	POST_LATEST = 1 << 1, /* prefer the last post instead of the first */
	POST_DURING = 1 << 2  /* consider only posts that began during the wait */
};

/*
 * Finds the post that ended the wait of thread `tid` for `key`. The wait lasted from `begin` to
 * `end`. `choice` has bits of enum post_choice. Returns false if there is no such post.
 */
bool posts_find(struct posts *p, wake_key key, pid_t tid, int64_t begin, int64_t end,
		unsigned choice, struct wakeup *found);

/*
 * Finds the last post of thread `tid` that began at the time `at` or before. Returns false if there
 * is no such post, or if its call had already ended at that time.
 */
bool posts_by(struct posts *p, pid_t tid, int64_t at, struct wakeup *found);

/* Returns the last process other than `tgid` that added a post for `key`, or 0 if there is none. */
pid_t posts_last(struct posts *p, wake_key key, pid_t tgid);

#endif
