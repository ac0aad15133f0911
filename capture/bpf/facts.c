/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/facts.h"

#include <string.h>

#include "capture/bpf/fd_paths.h"
#include "capture/bpf/pid_levels.h"
#include "capture/bpf/records.h"
#include "capture/bpf/threads.h"

/* What a chunk of the record says. Returns false if it says nothing. */
static bool ask_chunk(const struct chunk_head *h, const struct fact_question *q,
		      struct fact_answer *a)
{
	const size_t n = h->size > 0 ? (size_t)h->size : 0;

	switch (q->kind) {
	case FACT_FD_PATH:
		return fd_path_answer(h + 1, n, a);
	case FACT_FD_PROTOCOL:
		return fd_protocol_answer(h + 1, n, a);
	default:
		return fd_socket_answer(h + 1, n, (uint64_t)q->n, q->key, a);
	}
}

/* What the record says of a descriptor or a socket. Returns false if it says nothing. */
static bool ask_record(const struct stream_facts *f, const struct fact_question *q,
		       struct fact_answer *a)
{
	size_t at = 0;
	const struct chunk_head *h;

	if (!f->chunks || (q->tid != f->tid && q->kind != FACT_SOCKET))
		return false;
	while ((h = chunk_next(f->chunks, f->size, &at))) {
		if (h->what != CHUNK_FD)
			continue;
		if (q->kind == FACT_SOCKET) {
			if (ask_chunk(h, q, a))
				return true;
			continue;
		}
		if ((int32_t)(uint32_t)h->addr != q->n)
			continue;
		if (h->size > 0)
			return ask_chunk(h, q, a);
		a->error = h->size;
		return true;
	}
	return false;
}

/* Who has an id in the pid namespace of a thread, as it was told when they were born. */
static bool ask_birth(const struct stream_facts *f, const struct fact_question *q,
		      struct fact_answer *a)
{
	const struct thread *t = threads_find(f->threads, q->tid);
	pid_t ours = t && t->pid_ns ? pid_levels_find(f->pids, t->pid_ns, q->n) : 0;

	if (ours)
		fact_add_number(a, ours);
	return ours;
}

/* Whether the answer may be another one by now, since the tracee runs. */
static bool may_change(enum fact_kind kind)
{
	switch (kind) {
	case FACT_FD_PATH:
	case FACT_FD_INFO:
	case FACT_FD_PIDFD:
	case FACT_FD_PROTOCOL:
	case FACT_SOCKET:
	case FACT_COMM:
	case FACT_NAMESPACE:
	case FACT_MAPPING:
		return true;
	default:
		return false;
	}
}

static bool is_recorded(enum fact_kind kind)
{
	return kind == FACT_FD_PATH || kind == FACT_FD_PROTOCOL || kind == FACT_SOCKET;
}

static void ask(struct facts *facts, const struct fact_question *q, struct fact_answer *a)
{
	const struct stream_facts *f = (const struct stream_facts *)facts;
	const struct thread *t;

	if (is_recorded(q->kind) && ask_record(f, q, a))
		return;
	if (q->kind == FACT_PID && ask_birth(f, q, a))
		return;
	t = q->kind == FACT_COMM ? threads_find(f->threads, (pid_t)q->n) : NULL;
	if (t && *t->comm) {
		fact_set_bytes(a, t->comm, strnlen(t->comm, sizeof(t->comm) - 1));
		return;
	}
	f->live->ops->ask(f->live, q, a);
	a->late = may_change(q->kind);
}

static const struct facts_ops ops = {.ask = ask};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads,
		       const struct pid_levels *pids)
{
	*f = (struct stream_facts){
		.facts.ops = &ops, .live = live, .threads = threads, .pids = pids};
}
