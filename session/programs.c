/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/programs.h"

#include <stdlib.h>

#include "query/needs.h"
#include "session/emit.h"
#include "session/state.h"
#include "session/thread.h"
#include "util/mem.h"
#include "util/table.h"

/* A program that a process has executed. */
struct program {
	pid_t tgid;
	unsigned execs; /* number of calls of execve that the process had made when the program
			   began */
	size_t before;	/* index in programs.list of the process's earlier program, plus 1; or 0 */
	char *exe, *cgroup;
};

struct programs {
	VEC(struct program) list;
	struct table latest; /* by tgid: index of the process's latest program, plus 1 */
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
	table_deinit(&p->latest);
	free(p);
}

static struct table_slot *slot_of(const struct programs *p, pid_t tgid)
{
	return table_find(&p->latest, table_hash_number((uint64_t)tgid), NULL);
}

/* Returns the program that a process ran after its first `execs` calls of execve, or NULL. */
static const struct program *find(const struct programs *p, pid_t tgid, unsigned execs)
{
	const struct table_slot *slot = slot_of(p, tgid);
	size_t i = slot ? slot->value : 0;

	while (i && p->list.v[i - 1].execs > execs)
		i = p->list.v[i - 1].before;
	return i ? &p->list.v[i - 1] : NULL;
}

void programs_look_up(struct session *s, struct tcb *tcb, bool executed)
{
	struct event e = {0};
	struct table_slot *slot;
	struct program next;

	if (likely(!s->programs))
		return;
	thread_of(tcb);
	next = (struct program){.tgid = tcb_tgid(tcb)};
	slot = slot_of(s->programs, next.tgid);
	if (slot && !executed)
		return;
	if (slot) {
		next.before = slot->value;
		next.execs = s->programs->list.v[slot->value - 1].execs + 1;
	}
	emit_program(s, &e, tcb);
	next.exe = e.exe ? mem_strdup(e.exe) : NULL;
	next.cgroup = e.cgroup ? mem_strdup(e.cgroup) : NULL;
	*vec_push(&s->programs->list) = next;
	if (slot)
		slot->value = s->programs->list.n;
	else
		table_add(&s->programs->latest, table_hash_number((uint64_t)next.tgid),
			  s->programs->list.n);
}

void programs_set(const struct programs *p, struct event *e, unsigned execs)
{
	const struct program *program = p ? find(p, e->tgid, execs) : NULL;

	if (!program)
		return;
	e->exe = program->exe;
	e->cgroup = program->cgroup;
}
