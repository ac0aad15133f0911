/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/recorded_facts.h"

#include <fcntl.h>
#include <string.h>

#include "trace/format/coding.h"
#include "trace/format/records.h"

static uint64_t *process_slot(struct recorded_facts *f, pid_t tgid)
{
	return &f->processes[(uint32_t)tgid % RECORDED_PROCESS_SLOTS];
}

static size_t fd_slot(pid_t tgid, int64_t fd)
{
	return ((uint32_t)tgid * 67u + (uint32_t)fd) % RECORDED_FD_SLOTS;
}

void recorded_facts_fd_changed(struct recorded_facts *f, pid_t tgid, int fd)
{
	*(fd < 0 ? process_slot(f, tgid) : &f->fds[fd_slot(tgid, fd)].changed) = ++f->now;
}

/*
 * Returns true if descriptor fd of thread tid still refers to the same file, with the same path, as
 * at time `stamp`.
 */
static bool is_unchanged(struct recorded_facts *f, pid_t tid, int64_t fd, uint64_t stamp)
{
	return f->descriptors_known && tid == f->tid && stamp > f->files &&
	       stamp > *process_slot(f, f->tgid) && stamp > f->fds[fd_slot(f->tgid, fd)].changed;
}

/*
 * Returns true if `known`, an earlier answer to q, is still valid because nothing that it depends
 * on has changed since.
 */
static bool holds(struct recorded_facts *f, const struct fact_question *q,
		  const struct stored_fact *known)
{
	const uint64_t stamp = known->stamp;

	switch (q->kind) {
	case FACT_FD_PATH:
		/* A call may have opened the descriptor since, so an error is not reused. */
		if (known->error)
			return false;
		/* fallthrough */
	case FACT_FD_PROTOCOL:
		return is_unchanged(f, q->tid, q->n, stamp);
	case FACT_SOCKET:
		return f->descriptors_known && stamp > f->sockets;
	case FACT_DEVICE:
		return stamp > f->files;
	case FACT_COMM:
	case FACT_PID:
		return stamp > f->tasks;
	default:
		return false;
	}
}

static void put(struct strbuf *out, const struct fact_question *q, const struct fact_answer *a)
{
	struct strbuf b = {0};

	put_uleb(&b, q->kind);
	put_signed(&b, q->tid);
	put_signed(&b, q->n);
	put_signed(&b, q->of);
	put_uleb(&b, q->key != NULL);
	if (q->key)
		put_bytes(&b, q->key, strlen(q->key));
	put_uleb(&b, (uint64_t) - (int64_t)a->error);
	put_uleb(&b, a->count);
	for (unsigned i = 0; i < a->count; i++)
		put_signed(&b, a->numbers[i]);
	put_bytes(&b, a->bytes, a->len);
	if (a->late)
		put_uleb(&b, 1);
	strbuf_putc(out, RECORD_FACT);
	put_bytes(out, b.data, b.len);
	strbuf_deinit(&b);
}

static void ask(struct facts *facts, const struct fact_question *q, struct fact_answer *a)
{
	struct recorded_facts *f = container_of(facts, struct recorded_facts, facts);
	struct stored_fact *known = fact_store_find(&f->known, q);

	if (known && holds(f, q, known)) {
		stored_fact_answer(known, a);
		return;
	}
	facts_ask(f->source, q, a);
	if (fact_store_put(&f->known, q, a, &known))
		put(f->records, q, a);
	known->stamp = ++f->now;
	f->lasting &= holds(f, q, known);
}

static bool knows_fd(struct facts *facts, pid_t tid, int fd)
{
	struct recorded_facts *f = container_of(facts, struct recorded_facts, facts);
	const size_t slot = fd_slot(f->tgid, fd);
	const uint64_t asked = f->fds[slot].asked;

	f->lasting = true;
	return f->fds[slot].tid == tid && f->fds[slot].fd == fd &&
	       is_unchanged(f, tid, fd, asked) && asked > f->sockets && asked > f->tasks;
}

static void asked_fd(struct facts *facts, pid_t tid, int fd)
{
	struct recorded_facts *f = container_of(facts, struct recorded_facts, facts);
	const size_t slot = fd_slot(f->tgid, fd);

	f->fds[slot].tid = tid;
	f->fds[slot].fd = fd;
	f->fds[slot].asked = f->lasting ? ++f->now : 0;
}

static const struct facts_ops ops = {.ask = ask, .knows_fd = knows_fd, .asked_fd = asked_fd};

void recorded_facts_init(struct recorded_facts *f, struct facts *source, struct strbuf *records)
{
	*f = (struct recorded_facts){.facts.ops = &ops, .source = source, .records = records};
}

void recorded_facts_deinit(struct recorded_facts *f)
{
	fact_store_deinit(&f->known);
}

bool recorded_facts_full(const struct recorded_facts *f)
{
	return f->known.facts.n >= TRACE_FACTS_MAX;
}

void recorded_facts_forget(struct recorded_facts *f)
{
	fact_store_clear(&f->known);
	recorded_facts_files_changed(f);
}
