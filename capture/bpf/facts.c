/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/facts.h"

#include <string.h>

#include "capture/bpf/fd_paths.h"
#include "capture/bpf/pid_levels.h"
#include "capture/bpf/records.h"
#include "capture/bpf/threads.h"
#include "capture/proc/procfs.h"
#include "capture/proc/socket_cache.h"

/* A position in the descriptor chunks. {0} is before the first chunk. */
struct position {
	size_t at;
	unsigned which; /* index in recorded[] */
};

/* Returns the next chunk that describes a descriptor, or NULL. */
static const struct chunk_head *next_fd(const struct stream_facts *f, struct position *at)
{
	while (at->which < ARRAY_SIZE(f->recorded)) {
		const struct fd_chunks *c = &f->recorded[at->which];
		const struct chunk_head *h =
			c->chunks ? chunk_next(c->chunks, c->size, &at->at) : NULL;

		if (h && h->what == CHUNK_FD)
			return h;
		if (!h)
			*at = (struct position){.which = at->which + 1};
	}
	return NULL;
}

static size_t bytes_of(const struct chunk_head *h)
{
	return h->size > 0 ? (size_t)h->size : 0;
}

/*
 * Answers with the pid in /proc and the pid in our namespace of the process that a pidfd refers to.
 * Returns false if the descriptor is not a pidfd, or if its process is unknown.
 */
static bool ask_pidfd(const struct stream_facts *f, const struct chunk_head *h,
		      struct fact_answer *a)
{
	if (!fd_pidfd_answer(h + 1, bytes_of(h), a))
		return false;
	if (a->numbers[1])
		a->numbers[0] = procfs_pid(f->procfs, (pid_t)a->numbers[1]);
	return true;
}

/*
 * Answers a question about a descriptor from the recorded data. Returns false if the data does not
 * contain the answer.
 */
static bool ask_fd(const struct stream_facts *f, const struct fact_question *q,
		   struct fact_answer *a)
{
	const struct chunk_head *h;
	struct position at = {0};

	if (q->tid != f->tid)
		return false;
	while ((h = next_fd(f, &at)))
		if ((int32_t)(uint32_t)h->addr == q->n)
			break;
	if (!h)
		return false;
	if (h->size <= 0) {
		a->error = h->size;
		return true;
	}
	switch (q->kind) {
	case FACT_FD_PATH:
		return fd_path_answer(h + 1, bytes_of(h), a);
	case FACT_FD_PROTOCOL:
		return fd_protocol_answer(h + 1, bytes_of(h), a);
	case FACT_FD_INFO:
		return fd_info_answer(h + 1, bytes_of(h), q->key, a);
	default:
		return ask_pidfd(f, h, a);
	}
}

/*
 * Answers from the recorded data about the file with the path in *q. Returns false if no data about
 * that file was recorded.
 */
static bool ask_device(const struct stream_facts *f, const struct fact_question *q,
		       struct fact_answer *a)
{
	const struct chunk_head *h;
	struct position at = {0};

	while ((h = next_fd(f, &at)))
		if (fd_device_answer(h + 1, bytes_of(h), q->key, a))
			return true;
	return false;
}

/*
 * Answers from the data about the socket in this or an earlier record. Returns false if no data
 * about the socket was recorded.
 */
static bool ask_socket(const struct stream_facts *f, const struct fact_question *q,
		       struct fact_answer *a)
{
	const struct socket_fact *known = socket_cache_find(f->sockets, (uint64_t)q->n);
	const struct chunk_head *h;
	struct socket_fact s;
	bool found = known;
	struct position at = {0};

	while (!found && (h = next_fd(f, &at)))
		found = fd_socket_answer(h + 1, bytes_of(h), (uint64_t)q->n, &s);
	if (!known && found && s.family)
		known = socket_cache_put(f->sockets, (uint64_t)q->n, &s);
	if (known)
		fact_set_socket(a, known);
	else if (found)
		a->error = -ENOENT;
	return found;
}

/* Answers from the records. Returns false if they contain no answer. */
static bool ask_record(const struct stream_facts *f, const struct fact_question *q,
		       struct fact_answer *a)
{
	switch (q->kind) {
	case FACT_FD_PATH:
	case FACT_FD_PROTOCOL:
	case FACT_FD_INFO:
	case FACT_FD_PIDFD:
		return ask_fd(f, q, a);
	case FACT_DEVICE:
		return ask_device(f, q, a);
	case FACT_SOCKET:
		return ask_socket(f, q, a);
	default:
		return false;
	}
}

/*
 * Translates an id from a thread's pid namespace to ours, using the ids that were recorded at the
 * creation of threads. Returns false if the id is unknown.
 */
static bool ask_birth(const struct stream_facts *f, const struct fact_question *q,
		      struct fact_answer *a)
{
	const struct thread *t = threads_find(f->threads, q->tid);
	pid_t ours = t && t->pid_ns ? pid_levels_find(f->pids, t->pid_ns, q->n) : 0;

	if (ours)
		fact_add_number(a, ours);
	return ours;
}

/*
 * Returns true if a question of this kind may have another answer now than at the time of the
 * record, because the tracee has continued to run.
 */
static bool may_change(enum fact_kind kind)
{
	switch (kind) {
	case FACT_FD_PATH:
	case FACT_FD_INFO:
	case FACT_FD_PIDFD:
	case FACT_FD_PROTOCOL:
	case FACT_SOCKET:
	case FACT_DEVICE:
	case FACT_COMM:
	case FACT_NAMESPACE:
	case FACT_MAPPING:
		return true;
	default:
		return false;
	}
}

static void ask(struct facts *facts, const struct fact_question *q, struct fact_answer *a)
{
	const struct stream_facts *f = (const struct stream_facts *)facts;
	const struct thread *t;

	if (ask_record(f, q, a))
		return;
	if (q->kind == FACT_PID && ask_birth(f, q, a))
		return;
	t = q->kind == FACT_COMM ? threads_find(f->threads, (pid_t)q->n) : NULL;
	if (t && *t->comm) {
		fact_set_bytes(a, t->comm, strnlen(t->comm, sizeof(t->comm) - 1));
		return;
	}
	f->live->ops->ask(f->live, q, a);
	/*
	 * For FACT_DEVICE, an error means that the path does not belong to a device. This does not
	 * change over time.
	 */
	a->late = may_change(q->kind) && !(q->kind == FACT_DEVICE && a->error);
}

static const struct facts_ops ops = {.ask = ask};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads,
		       const struct pid_levels *pids, const struct procfs *procfs, bool fds)
{
	*f = (struct stream_facts){
		.facts.ops = &ops,
		.live = live,
		.threads = threads,
		.pids = pids,
		.procfs = procfs,
		.fds = fds,
		.sockets = socket_cache_create(),
	};
}

void stream_facts_enter(struct stream_facts *f, struct thread *t, const void *chunks, size_t size)
{
	const struct chunk_head *h;
	struct position at = {0};

	if (!f->fds)
		return;
	f->tid = t->tcb.tid;
	f->recorded[0] = (struct fd_chunks){chunks, size};
	f->recorded[1] = (struct fd_chunks){0};
	t->fds.len = 0;
	while ((h = next_fd(f, &at))) {
		const size_t n = sizeof(*h) + bytes_of(h);

		strbuf_add(&t->fds, (const char *)h, n);
		strbuf_pad(&t->fds, '\0', align_up(n, 8) - n);
	}
}

void stream_facts_leave(struct stream_facts *f, const struct thread *t, const void *chunks,
			size_t size)
{
	if (!f->fds)
		return;
	f->tid = t->tcb.tid;
	f->recorded[0] = (struct fd_chunks){chunks, size};
	f->recorded[1] = (struct fd_chunks){t->fds.data, t->fds.len};
}

void stream_facts_request(struct stream_facts *f, pid_t tid, const void *chunks, size_t size)
{
	if (!f->fds)
		return;
	f->tid = tid;
	f->recorded[0] = (struct fd_chunks){chunks, size};
}

void stream_facts_other(struct stream_facts *f)
{
	memset(f->recorded, 0, sizeof(f->recorded));
}

void stream_facts_deinit(struct stream_facts *f)
{
	socket_cache_destroy(f->sockets);
}
