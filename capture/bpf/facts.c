/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/facts.h"

#include <string.h>

#include "capture/bpf/threads.h"

static void ask(struct facts *facts, const struct fact_question *q, struct fact_answer *a)
{
	const struct stream_facts *f = (const struct stream_facts *)facts;
	const struct thread *t;

	t = q->kind == FACT_COMM ? threads_find(f->threads, (pid_t)q->n) : NULL;
	if (t && *t->comm)
		fact_set_bytes(a, t->comm, strnlen(t->comm, sizeof(t->comm) - 1));
	else
		f->live->ops->ask(f->live, q, a);
}

static const struct facts_ops ops = {.ask = ask};

void stream_facts_init(struct stream_facts *f, struct facts *live, const struct threads *threads)
{
	*f = (struct stream_facts){.facts.ops = &ops, .live = live, .threads = threads};
}
