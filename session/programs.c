/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/programs.h"

#include <limits.h>
#include <stdlib.h>

#include "query/needs.h"
#include "session/emit.h"
#include "session/state.h"
#include "session/thread.h"
#include "util/mem.h"

/* A program that a process has executed. */
struct program {
	pid_t tgid;
	unsigned execs; /* number of calls of execve that the process has made */
	char *exe, *cgroup;
};

struct programs {
	VEC(struct program) list; /* in the order of time */
};

struct programs *programs_new(const struct session *s)
{
	if (!s->o->summary_only || !(s->o->query_needs & QUERY_NEEDS_PROGRAM))
		return NULL;
	return mem_zalloc(sizeof(struct programs));
}

void programs_free(struct programs *p)
{
	if (!p)
		return;
	vec_for_each (&p->list, program) {
		free(program->exe);
		free(program->cgroup);
	}
	vec_deinit(&p->list);
	free(p);
}

/* Returns the last program of a process that had made at most `execs` calls of execve, or NULL. */
static const struct program *find(const struct programs *p, pid_t tgid, unsigned execs)
{
	for (size_t i = p->list.n; i; i--)
		if (p->list.v[i - 1].tgid == tgid && p->list.v[i - 1].execs <= execs)
			return &p->list.v[i - 1];
	return NULL;
}

void programs_look_up(struct session *s, struct tcb *tcb, bool executed)
{
	struct event e = {0};
	const struct program *last;
	struct program next;

	if (likely(!s->programs))
		return;
	thread_of(tcb);
	next = (struct program){.tgid = tcb_tgid(tcb)};
	last = find(s->programs, next.tgid, UINT_MAX);
	if (last && !executed)
		return;
	if (last)
		next.execs = last->execs + 1;
	emit_program(s, &e, tcb);
	next.exe = e.exe ? mem_strdup(e.exe) : NULL;
	next.cgroup = e.cgroup ? mem_strdup(e.cgroup) : NULL;
	*vec_push(&s->programs->list) = next;
}

void programs_set(const struct programs *p, struct event *e, unsigned execs)
{
	const struct program *program = p ? find(p, e->tgid, execs) : NULL;

	if (!program)
		return;
	e->exe = program->exe;
	e->cgroup = program->cgroup;
}
