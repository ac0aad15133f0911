/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/glance.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/vec.h"

/* What the clock of a CPU showed at a time of CLOCK_MONOTONIC, in nanoseconds. */
struct cpu_clock {
	bool asked, known;
	int64_t shown, at;
};

struct glances {
	const struct procfs *procfs;
	VEC(struct cpu_clock) cpus; /* by their numbers */
};

struct glances *glances_create(const struct procfs *procfs)
{
	struct glances *g = mem_zalloc(sizeof(*g));

	g->procfs = procfs;
	return g;
}

void glances_destroy(struct glances *g)
{
	if (!g)
		return;
	vec_deinit(&g->cpus);
	free(g);
}

static int64_t now_ns(void)
{
	return (int64_t)timespec_ns(clock_after(0));
}

/* When the thread last ran by its CPU's clock, from the text of its file "sched"; -1: unknown. */
static int64_t last_ran(const char *text)
{
	const char *at = strstr(text, "se.exec_start");
	int64_t ms, ns;

	at = at ? strchr(at, ':') : NULL;
	if (!at || sscanf(at + 1, "%" SCNd64 ".%6" SCNd64, &ms, &ns) != 2)
		return -1;
	return ms * 1000000 + ns;
}

/* Runs on the CPU for a moment, so that our own file tells what its clock shows. */
static void ask_clock(struct cpu_clock *c, unsigned cpu)
{
	cpu_set_t before, only;
	char text[512];

	c->asked = true;
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	if (sched_getaffinity(0, sizeof(before), &before) ||
	    sched_setaffinity(0, sizeof(only), &only))
		return;
	/* The kernel notes the time as it chooses the next thread to run, though it be the same. */
	sched_yield();
	c->at = now_ns();
	if (proc_read(text, sizeof(text), "/proc/thread-self/sched") > 0)
		c->shown = last_ran(text);
	c->known = c->shown > 0;
	sched_setaffinity(0, sizeof(before), &before);
}

/* What the clock of a CPU shows now; -1: unknown. */
static int64_t clock_now(struct glances *g, unsigned cpu)
{
	struct cpu_clock *c;

	if (cpu >= CPU_SETSIZE)
		return -1;
	while (g->cpus.n <= cpu)
		*vec_push(&g->cpus) = (struct cpu_clock){0};
	c = &g->cpus.v[cpu];
	if (!c->asked)
		ask_clock(c, cpu);
	return c->known ? c->shown + (now_ns() - c->at) : -1;
}

/* Where the fields from the third on begin in a line of stat; NULL: it is none. */
static const char *stat_field(const char *text, int n)
{
	const char *at = strrchr(text, ')'); /* this ends field 2, the name */

	for (int i = 2; at && i < n; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at;
}

char glance_state(struct glances *g, pid_t tid, int64_t *asleep)
{
	const int pid = procfs_pid(g->procfs, tid);
	const char *state, *cpu;
	int64_t ran, now;
	char text[1024], sched[512];

	*asleep = -1;
	if (proc_read(text, sizeof(text), "/proc/%d/task/%d/stat", pid, pid) <= 0)
		return 0;
	state = stat_field(text, 3);
	if (!state)
		return 0;
	cpu = stat_field(text, 39);
	if (*state == 'R' || !cpu ||
	    proc_read(sched, sizeof(sched), "/proc/%d/task/%d/sched", pid, pid) <= 0)
		return *state;
	ran = last_ran(sched);
	now = ran > 0 ? clock_now(g, (unsigned)atoi(cpu)) : -1;
	if (now > 0)
		*asleep = now > ran ? now - ran : 0;
	return *state;
}

bool glance_call(const struct glances *g, pid_t tid, struct syscall_regs *regs)
{
	const int pid = procfs_pid(g->procfs, tid);
	uint64_t *a = regs->args;
	char text[512];
	int64_t nr;

	_Static_assert(SYSCALL_ARGS_MAX == 6, "the file has six arguments");
	if (proc_read(text, sizeof(text), "/proc/%d/task/%d/syscall", pid, pid) <= 0 ||
	    sscanf(text,
		   "%" SCNd64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		   " %" SCNx64 " %" SCNx64 " %" SCNx64,
		   &nr, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &regs->sp, &regs->ip) != 9)
		return false;
	regs->nr = (uint64_t)nr;
	return nr >= 0;
}
