/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the calls that threads are executing at the moment, for --live. */
#include <string.h>

#include "capture/bpf/engine_state.h"
#include "util/clock.h"
#include "util/msg.h"

/* Reads the list of traced threads. Returns false if the kernel does not provide the list. */
static bool read_list(struct bpf_engine *e)
{
	const int err = kernel_list_threads(e->kernel, &e->list);

	if (err && !e->listed_at)
		msg("--engine=bpf: the kernel does not list the calls that are running: %s",
		    strerror(-err));
	e->listed = 0;
	e->listed_at = timespec_ns(clock_after(0));
	return !err;
}

/*
 * Returns the time from which the running call of a thread is counted: its entry or, if it began
 * before tracing, the time at which tracer attached to the thread. If that time is unknown, too,
 * returns the time at which the list was read.
 */
static int64_t begin_of(struct bpf_engine *e, const struct thread_now *now)
{
	const struct thread *t;

	if (!now->old)
		return (int64_t)now->since;
	t = threads_find(&e->threads, (pid_t)now->tid);
	return t && t->attached ? (int64_t)t->attached : (int64_t)e->listed_at;
}

bool bpf_engine_next_running(struct capture *c, struct capture_running *r)
{
	struct bpf_engine *e = bpf_engine_of(c);
	struct thread_now now;

	if (!e->lists_running || (!e->listing && !read_list(e)))
		return false;
	e->listing = e->listed + sizeof(now) <= e->list.len;
	if (!e->listing)
		return false;
	memcpy(&now, e->list.data + e->listed, sizeof(now));
	e->listed += sizeof(now);
	*r = (struct capture_running){.tid = (pid_t)now.tid, .tgid = (pid_t)now.tgid};
	memcpy(r->comm, now.comm, sizeof(r->comm));
	r->kernel = now.kernel;
	r->waker = (pid_t)now.waker;
	if (!now.call)
		return true;
	r->in_call = true;
	r->old = now.old;
	r->abi = (now.call - 1) / CALLS_OF_ABI;
	r->nr = (now.call - 1) % CALLS_OF_ABI;
	r->since = begin_of(e, &now);
	return true;
}
