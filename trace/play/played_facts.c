/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/played_facts.h"

#include <string.h>

#include "trace/format/records.h"

/* Returns true if questions of this kind contain the id of a thread or process in `n`. */
static bool names_process(enum fact_kind kind)
{
	return kind == FACT_COMM || kind == FACT_COMMAND || kind == FACT_PROGRAM ||
	       kind == FACT_CGROUP;
}

static void ask(struct facts *facts, const struct fact_question *q, struct fact_answer *a)
{
	const struct played_facts *f = container_of(facts, struct played_facts, facts);
	struct fact_question as_recorded = *q;
	const struct stored_fact *known;

	/*
	 * The ids of reported threads include f->base. The ids in the recorded data do not, so
	 * subtract f->base.
	 */
	if (q->tid > f->base)
		as_recorded.tid -= f->base;
	if (names_process(q->kind) && q->n > f->base)
		as_recorded.n -= f->base;
	known = fact_store_find(&f->known, &as_recorded);

	if (known)
		stored_fact_answer(known, a);
	else
		a->error = -ENODATA;
}

static const struct facts_ops ops = {.ask = ask};

void played_facts_init(struct played_facts *f, pid_t base)
{
	*f = (struct played_facts){.facts.ops = &ops, .base = base};
}

void played_facts_take(struct played_facts *f, struct cursor *in)
{
	struct fact_question q = {.kind = (enum fact_kind)cursor_uleb(in)};
	struct stored_fact *stored;
	struct fact_answer a;
	const uint8_t *bytes;
	char key[PATH_MAX];
	uint64_t count;
	size_t n;

	q.tid = (pid_t)take_signed(in);
	q.n = take_signed(in);
	q.of = (int)take_signed(in);
	if (cursor_uleb(in)) {
		bytes = take_bytes(in, &n);
		if (!bytes || n >= sizeof(key))
			return;
		memcpy(key, bytes, n);
		key[n] = '\0';
		q.key = key;
	}
	a.error = -(int)(cursor_uleb(in) & 0xffff);
	count = cursor_uleb(in);
	a.count = 0;
	for (uint64_t i = 0; i < count && !in->bad; i++)
		fact_add_number(&a, take_signed(in));
	bytes = take_bytes(in, &n);
	a.late = in->p < in->end && cursor_uleb(in);
	if (in->bad || f->known.facts.n >= TRACE_FACTS_MAX + 1024)
		return;
	fact_set_bytes(&a, bytes, n);
	fact_store_put(&f->known, &q, &a, &stored);
}
