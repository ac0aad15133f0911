/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The latest calls that may have ended the wait of another thread. A post says that a thread did
 * something during some time that wakes threads that wait for a key: a futex, an end of a pipe, the
 * end of a process. The number of posts is limited, so old posts are forgotten.
 */
#ifndef TRACER_WAKE_POSTS_H
#define TRACER_WAKE_POSTS_H

#include "event/event.h"
#include "event/wakeup.h"

/* Identifies the thing that threads wait for; 0 if it is unknown. Made by wake/things.h. */
typedef uint64_t wake_key;

/* A post that has no limit of threads that it wakes. */
#define POST_ALL INT32_MAX
/* The end of a post whose call is still running. */
#define POST_RUNNING INT64_MAX

struct posts;
struct posts *posts_create(void);
void posts_destroy(struct posts *p);

/*
 * Adds a post by the thread of e, which began at `begin`, is still running and wakes at most
 * `limit` threads. Returns its number for posts_settle().
 */
uint64_t posts_add(struct posts *p, wake_key key, enum wake_cause cause, const struct event *e,
		   int64_t begin, int32_t limit);
/*
 * Notes that the call of a post ended. It woke at most `limit` threads in total. Does nothing if
 * the post was already forgotten.
 */
void posts_settle(struct posts *p, uint64_t number, int64_t end, int32_t limit);
/* How posts_find() selects a post. */
enum post_choice {
	POST_TAKEN = 1 << 0,  /* the wait uses up one of the threads that the post may wake */
	POST_LATEST = 1 << 1, /* the last post explains the wait, not the first */
	POST_DURING = 1 << 2  /* the post must begin during the wait */
};

/*
 * Finds the post that ended the wait of thread tid for key from begin to end. `choice` has bits of
 * enum post_choice. Returns false if there is none.
 */
bool posts_find(struct posts *p, wake_key key, pid_t tid, int64_t begin, int64_t end,
		unsigned choice, struct wakeup *found);

/* Returns the process other than tgid that added the last post for key; 0 if there is none. */
pid_t posts_last(struct posts *p, wake_key key, pid_t tgid);

#endif
