/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wake/sleeps.h"

#include <string.h>

#include "event/find.h"
#include "event/sched.h"
#include "linux/syscall_desc.h"

static const struct value *arg(const struct event *e, const char *name)
{
	const struct value *v;

	return event_argument(e, name, true, &v) == FOUND ? v : NULL;
}

/*
 * Returns the event's value with this name, a number of nanoseconds. Returns -1 if there is no such
 * value or if it is invalid.
 */
static int64_t take_ns(const struct event *e, const char *name)
{
	const struct value *v = arg(e, name);
	value_number n = 0;
	unsigned bits;

	return v && value_as_number(v, &n, &bits) && n >= 0 && n <= INT64_MAX ? (int64_t)n : -1;
}

static enum wake_context context_of(const struct value *v)
{
	static const struct {
		const char *name;
		enum wake_context context;
	} contexts[] = {
		{SCHED_THREAD, CONTEXT_THREAD},
		{SCHED_KERNEL, CONTEXT_KERNEL},
		{SCHED_RING, CONTEXT_RING},
		{SCHED_INTERRUPT, CONTEXT_INTERRUPT},
	};

	for (size_t i = 0; v && v->kind == VALUE_NAME && i < ARRAY_SIZE(contexts); i++)
		if (!strcmp(v->str, contexts[i].name))
			return contexts[i].context;
	return CONTEXT_UNKNOWN;
}

static void take_waker(struct sleeps *s, const struct event *e)
{
	const struct value *waker = arg(e, "waker"), *v;
	int row;

	s->context = CONTEXT_UNKNOWN;
	s->signal = arg(e, "signal_pending");
	s->tid = s->tgid = 0;
	s->call = NULL;
	memset(s->comm, 0, sizeof(s->comm));
	if (!waker || waker->kind != VALUE_STRUCT)
		return;
	s->context = context_of(value_member(waker, "context"));
	s->tid = value_as_id(value_member(waker, "tid"));
	s->tgid = value_as_id(value_member(waker, "pid"));
	v = value_member(waker, "comm");
	if (v && v->kind == VALUE_STRING)
		memcpy(s->comm, v->str, size_min(v->len, sizeof(s->comm)));
	v = value_member(waker, "call");
	row = v && v->kind == VALUE_NAME ? syscall_desc_find(v->str) : -1;
	s->call = row < 0 ? NULL : syscall_descs[row].name;
}

bool sleeps_add(struct sleeps *s, const struct event *e, int64_t end)
{
	const int64_t blocked = take_ns(e, "blocked_ns"), runnable = take_ns(e, "runnable_ns");

	if (blocked < 0 || runnable < 0)
		return false;
	s->blocked += blocked;
	s->runnable += runnable;
	if (!blocked || blocked < s->longest)
		return false;
	s->longest = blocked;
	s->at = end - runnable;
	take_waker(s, e);
	return true;
}

/* Copies to *w the thread that the engine has reported as the waker, and the waker's call. */
static void name_thread(const struct sleeps *s, struct wakeup *w)
{
	w->tid = s->tid;
	w->tgid = s->tgid;
	w->call = s->call;
	memcpy(w->comm, s->comm, sizeof(w->comm));
}

static bool is_transfer(const char *call)
{
	return call && (strstr(call, "read") || strstr(call, "write") || strstr(call, "splice") ||
			!strcmp(call, "close"));
}

/*
 * Returns the cause of a wait that was ended by a thread. `guess` is the inferred cause, or NULL.
 */
static enum wake_cause cause_by_thread(const struct sleeps *s, const struct slept_call *call,
				       struct posts *posts, const struct wakeup *guess)
{
	struct wakeup post;

	if (guess && guess->tid != s->tid)
		guess = NULL;
	if (call->interrupted)
		return guess && guess->cause == WAKE_CHILD ? WAKE_CHILD : WAKE_SIGNAL;
	if (call->cause == WAKE_FUTEX && !guess && s->call && !strcmp(s->call, "exit"))
		return WAKE_THREAD;
	if (guess && guess->cause != WAKE_OUTSIDE && guess->cause != WAKE_TIMER)
		return guess->cause;
	if (!call->polls && call->cause != WAKE_OUTSIDE)
		return call->cause;
	if (posts_by(posts, s->tid, s->at, &post))
		return post.cause;
	if (call->cause != WAKE_OUTSIDE)
		return call->cause;
	return is_transfer(s->call) ? WAKE_PIPE : WAKE_KERNEL;
}

/* Sets the cause of a wait that was ended by an interrupt or by a kernel thread. */
static void explain_event(const struct slept_call *call, const struct wakeup *guess,
			  struct wakeup *w)
{
	if (call->interrupted)
		w->cause = WAKE_SIGNAL;
	else if (guess && !guess->tid)
		w->cause = guess->cause;
	else if (call->cause == WAKE_FUTEX)
		w->cause = WAKE_TIMER;
	else if (call->cause != WAKE_TIMER && call->cause != WAKE_URING &&
		 call->cause != WAKE_EVENTFD)
		w->cause = WAKE_OUTSIDE;
}

/*
 * Used if a softirq ended the wait. Returns true if the thread that the softirq interrupted has
 * sent the data that the softirq delivered.
 */
static bool has_sent(const struct sleeps *s, const struct slept_call *call, struct posts *posts,
		     const struct wakeup *guess)
{
	struct wakeup post;

	if (guess && guess->tid)
		return guess->tid == s->tid;
	return (call->cause == WAKE_SOCKET || call->polls) &&
	       posts_by(posts, s->tid, s->at, &post) && post.cause == WAKE_SOCKET;
}

/*
 * Sets *w to the cause of a wake-up by an interrupt or a kernel thread. Interrupts and kernel
 * threads also deliver packets that a thread on the same machine has sent. Usually, a softirq
 * delivers such packets while the sender is the current thread. If not, the sender is known only
 * from `guess`, the inferred cause.
 */
static void explain_delivery(const struct sleeps *s, const struct slept_call *call,
			     struct posts *posts, const struct wakeup *guess, struct wakeup *w)
{
	if (s->context == CONTEXT_INTERRUPT && has_sent(s, call, posts, guess)) {
		w->cause = WAKE_SOCKET;
		name_thread(s, w);
	} else if (guess && guess->tid) {
		*w = *guess;
		w->at = s->at;
	} else {
		explain_event(call, guess, w);
	}
}

bool sleeps_explain(const struct sleeps *s, const struct slept_call *call, struct posts *posts,
		    bool inferred, struct wakeup *w)
{
	const struct wakeup inferred_one = *w, *guess = inferred ? &inferred_one : NULL;

	if (!s->longest)
		return false;
	*w = (struct wakeup){.cause = call->cause, .at = s->at};
	if (call->timed_out) {
		w->cause = WAKE_TIMER;
		return true;
	}
	switch (s->context) {
	case CONTEXT_UNKNOWN:
		w->cause = WAKE_OUTSIDE;
		if (guess)
			*w = *guess;
		break;
	case CONTEXT_THREAD:
		w->cause = cause_by_thread(s, call, posts, guess);
		name_thread(s, w);
		break;
	case CONTEXT_RING:
		w->cause = WAKE_URING;
		name_thread(s, w);
		break;
	case CONTEXT_KERNEL:
	case CONTEXT_INTERRUPT:
		explain_delivery(s, call, posts, guess, w);
		break;
	}
	return true;
}
