/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/merger.h"

#include <stdlib.h>

#include "util/mem.h"

/* One of the traces that are merged, and its next stop. */
struct merged {
	struct capture *player;
	struct stop next; /* the trace's next stop; the kind is STOP_NONE at the end of the trace */
	bool known;	  /* true if `next` contains a stop that has not been reported yet */
};

struct merger {
	/* must be first: pointers to struct capture are converted to pointers to struct merger */
	struct capture capture;
	size_t n;
	struct merged runs[MERGER_MAX];
};

static struct merger *merger_of(const struct capture *c)
{
	return (struct merger *)c;
}

static void merger_wait(struct capture *c, struct stop *stop, const struct timespec *deadline)
{
	struct merger *m = merger_of(c);
	struct merged *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct merged *run = &m->runs[i];

		if (!run->known) {
			capture_wait(run->player, &run->next, deadline);
			run->known = true;
		}
		if (run->next.kind != STOP_NONE && (!first || run->next.time < first->next.time))
			first = run;
	}
	if (!first) {
		*stop = m->runs[0].next;
		for (size_t i = 1; i < m->n; i++)
			if (m->runs[i].next.time > stop->time)
				stop->time = m->runs[i].next.time;
		stop->mono = stop->time;
		return;
	}
	*stop = first->next;
	/* The monotonic clocks of different boots cannot be compared. Use the real time instead. */
	stop->mono = stop->time;
	first->known = false;
}

static void merger_interrupt(struct capture *c attr_unused)
{
}

static size_t merger_count(const struct capture *c)
{
	const struct merger *m = merger_of(c);
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += capture_count(m->runs[i].player);
	return n;
}

static struct tcb *merger_find(const struct capture *c, pid_t tid)
{
	const struct merger *m = merger_of(c);
	struct tcb *tcb = NULL;

	for (size_t i = 0; i < m->n && !tcb; i++)
		tcb = capture_find(m->runs[i].player, tid);
	return tcb;
}

static struct tcb *merger_next(const struct capture *c, const struct tcb *prev,
			       enum capture_order order)
{
	const struct merger *m = merger_of(c);
	size_t i = 0;
	struct tcb *next;

	while (prev && i < m->n && m->runs[i].player != prev->capture)
		i++;
	for (; i < m->n; i++, prev = NULL) {
		next = capture_next(m->runs[i].player, prev, order);
		if (next)
			return next;
	}
	return NULL;
}

static void merger_end(struct capture *c)
{
	const struct merger *m = merger_of(c);

	for (size_t i = 0; i < m->n; i++)
		capture_end(m->runs[i].player);
}

static void merger_destroy(struct capture *c)
{
	struct merger *m = merger_of(c);

	for (size_t i = 0; i < m->n; i++)
		capture_destroy(m->runs[i].player);
	free(m);
}

static const struct capture_ops merger_ops = {
	.wait = merger_wait,
	.interrupt = merger_interrupt,
	.count = merger_count,
	.find = merger_find,
	.next = merger_next,
	.end = merger_end,
	.destroy = merger_destroy,
};

struct capture *merger_create(struct trace *const *traces, size_t n,
			      const struct player_config *config)
{
	struct merger *m = mem_zalloc(sizeof(*m));

	m->capture = (struct capture){
		.ops = &merger_ops, .name = "traces", .capabilities = PLAYER_CAPABILITIES};
	m->n = size_min(n, MERGER_MAX);
	for (size_t i = 0; i < m->n; i++) {
		struct player_config run = *config;

		run.base = (pid_t)i * MERGER_RUN;
		m->runs[i].player = player_create(traces[i], &run);
	}
	m->capture.reports_requests = m->runs[0].player->reports_requests;
	m->capture.facts = m->runs[0].player->facts;
	m->capture.files = m->runs[0].player->files;
	return &m->capture;
}
