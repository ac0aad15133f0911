/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/thread_state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/vec.h"

/*
 * The scheduler's clock of a CPU: its value was `shown` at the time `at` of CLOCK_MONOTONIC. Both
 * are in nanoseconds.
 */
struct cpu_clock {
	bool was_read, known;
	int64_t shown, at;
};

struct thread_states {
	const struct procfs *procfs;
	int folder;		    /* descriptor of the directory of a process's threads, or -1 */
	int process;		    /* the pid of that process in /proc */
	VEC(struct cpu_clock) cpus; /* indexed by CPU number */
};

struct thread_states *thread_states_create(const struct procfs *procfs)
{
	struct thread_states *g = mem_zalloc(sizeof(*g));

	g->procfs = procfs;
	g->folder = -1;
	return g;
}

void thread_states_destroy(struct thread_states *g)
{
	if (!g)
		return;
	vec_deinit(&g->cpus);
	if (g->folder >= 0)
		close(g->folder);
	free(g);
}

static int64_t now_ns(void)
{
	return (int64_t)timespec_ns(clock_after(0));
}

/*
 * Returns the time when the thread last ran, in nanoseconds of its CPU's clock, or -1 if unknown.
 * `text` is the contents of the thread's file "sched".
 */
static int64_t last_ran(const char *text)
{
	const char *at = strstr(text, "se.exec_start");
	int64_t ms, ns;

	at = at ? strchr(at, ':') : NULL;
	if (!at || sscanf(at + 1, "%" SCNd64 ".%6" SCNd64, &ms, &ns) != 2)
		return -1;
	return ms * 1000000 + ns;
}

/*
 * Stores the scheduler's clock of a CPU in *c. To read the clock, runs on that CPU for a moment and
 * reads our own file "sched".
 */
static void read_clock(struct cpu_clock *c, unsigned cpu)
{
	cpu_set_t before, only;
	char text[512];

	c->was_read = true;
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	if (sched_getaffinity(0, sizeof(before), &before) ||
	    sched_setaffinity(0, sizeof(only), &only))
		return;
	/*
	 * sched_yield() makes the kernel choose a thread to run. The kernel then updates the time
	 * in the file, even if it chooses the same thread again.
	 */
	sched_yield();
	c->at = now_ns();
	if (proc_read(text, sizeof(text), "/proc/thread-self/sched") > 0)
		c->shown = last_ran(text);
	c->known = c->shown > 0;
	sched_setaffinity(0, sizeof(before), &before);
}

/* Returns the current time of a CPU's clock in nanoseconds, or -1 if it is unknown. */
static int64_t clock_now(struct thread_states *g, unsigned cpu)
{
	struct cpu_clock *c;

	if (cpu >= CPU_SETSIZE)
		return -1;
	while (g->cpus.n <= cpu)
		*vec_push(&g->cpus) = (struct cpu_clock){0};
	c = &g->cpus.v[cpu];
	if (!c->was_read)
		read_clock(c, cpu);
	return c->known ? c->shown + (now_ns() - c->at) : -1;
}

/*
 * Returns the start of field n (at least 3) in the text of a stat file, or NULL if there is no such
 * field.
 */
static const char *stat_field(const char *text, int n)
{
	const char *at = strrchr(text, ')'); /* end of field 2, the name */

	for (int i = 2; at && i < n; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at;
}

/*
 * Copies field 2 of a stat file, the name in parentheses, to comm. The name itself may contain
 * parentheses.
 */
static void stat_name(const char *text, char comm[PROC_COMM_SIZE])
{
	const char *begin = strchr(text, '('), *end = strrchr(text, ')');

	if (!begin || !end || end < begin)
		return;
	snprintf(comm, PROC_COMM_SIZE, "%.*s", (int)(end - begin - 1), begin + 1);
	comm[strcspn(comm, "\n")] = '\0';
}

/*
 * Opens the directory of the process's threads and keeps it open until another process is
 * requested. Returns the descriptor, which g owns, or -1 on failure. A lookup in this directory is
 * several times as fast as a lookup of the whole path, because the kernel creates the entries of
 * /proc on demand.
 */
static int folder_of(struct thread_states *g, int process)
{
	char path[32];

	if (g->folder >= 0 && g->process == process)
		return g->folder;
	if (g->folder >= 0)
		close(g->folder);
	snprintf(path, sizeof(path), "/proc/%d/task", process);
	g->process = process;
	g->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return g->folder;
}

struct thread_state thread_state_read(struct thread_states *g, pid_t tgid, pid_t tid)
{
	const int pid = procfs_pid(g->procfs, tid);
	const int folder = folder_of(g, tgid > 0 ? procfs_pid(g->procfs, tgid) : pid);
	struct thread_state seen = {.asleep = -1};
	const char *state, *field;
	unsigned cpu;
	int64_t ran, now;
	char text[1024];

	if (proc_read_at(folder, text, sizeof(text), "%d/stat", pid) <= 0)
		return seen;
	state = stat_field(text, 3);
	if (!state)
		return seen;
	seen.state = *state;
	stat_name(text, seen.comm);
	field = stat_field(text, 39);
	cpu = field ? (unsigned)atoi(field) : 0;
	if (*state == 'R' || !field ||
	    proc_read_at(folder, text, sizeof(text), "%d/sched", pid) <= 0)
		return seen;
	ran = last_ran(text);
	now = ran > 0 ? clock_now(g, cpu) : -1;
	if (now > 0)
		seen.asleep = now > ran ? now - ran : 0;
	return seen;
}

bool thread_state_call(const struct procfs *p, pid_t tid, struct syscall_regs *regs)
{
	const int pid = procfs_pid(p, tid);
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

uint64_t thread_arrivals(const struct procfs *procfs, pid_t tid)
{
	char text[128];
	uint64_t n = 0;

	if (proc_read(text, sizeof(text), "/proc/%d/schedstat", (int)procfs_pid(procfs, tid)) <=
		    0 ||
	    sscanf(text, "%*u %*u %" SCNu64, &n) != 1)
		return 0;
	return n;
}
