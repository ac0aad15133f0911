/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids of threads, processes, groups and sessions: their names, and what they are in our namespace.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ioprio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decode/core/decode.h"
#include "decode/process/process.h"
#include "decode/core/type.h"
#include "capture/proc/proc.h"

/* ---- pid namespaces: pid_namespaces(7), NSpid of proc_pid_status(5) ---- */

#define NS_DEPTH_MAX 32 /* MAX_PID_NS_LEVEL */
#define NS_LINK_MAX  64

/* A task's id in each namespace, ours first; how many there are. */
static unsigned ns_pids(const char *task, enum pid_kind kind, int pids[NS_DEPTH_MAX])
{
	static const char *const fields[] = {[PID_THREAD] = "NSpid",
					     [PID_PROCESS] = "NStgid",
					     [PID_GROUP] = "NSpgid",
					     [PID_SESSION] = "NSsid"};
	char text[1024], *p = text, *end;
	unsigned n = 0;

	if (!proc_field(text, sizeof(text), fields[kind], "%s/status", task))
		return 0;
	for (; n < NS_DEPTH_MAX; p = end) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		pids[n++] = pid;
	}
	return n;
}

static bool ns_link(const char *task, char link[NS_LINK_MAX])
{
	char path[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/ns/pid", task);
	n = readlink(path, link, NS_LINK_MAX - 1);
	if (n <= 0)
		return false;
	link[n] = 0;
	return true;
}

/* A namespace, and how deep it lies below ours; the kind of id that is looked for in it. */
struct ns {
	char link[NS_LINK_MAX];
	unsigned level;
	enum pid_kind kind;
};

/* Is the task, its group or session known as pid in ns? Then *ours is what we call it. */
static bool ns_matches(const struct ns *ns, const char *task, int pid, int *ours)
{
	int pids[NS_DEPTH_MAX];
	unsigned n = ns_pids(task, ns->kind, pids);
	char link[NS_LINK_MAX];

	if (n <= ns->level || pids[ns->level] != pid)
		return false;
	/* One that lies deeper has the same number in each of its ancestors. */
	if (n == ns->level + 1 && (!ns_link(task, link) || strcmp(link, ns->link)))
		return false;
	*ours = pids[0];
	return true;
}

static bool is_pid(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static int ns_search_tasks(const struct ns *ns, const char *process, int pid)
{
	char dir[PATH_MAX], task[PATH_MAX];
	struct dirent *e;
	int ours = 0;
	DIR *tasks;

	if (snprintf(dir, sizeof(dir), "%s/task", process) >= (int)sizeof(dir))
		return 0;
	tasks = opendir(dir);
	while (tasks && !ours && (e = readdir(tasks))) {
		if (!is_pid(e->d_name) ||
		    snprintf(task, sizeof(task), "%s/%s", dir, e->d_name) >= (int)sizeof(task))
			continue;
		if (!ns_matches(ns, task, pid, &ours))
			ours = 0;
	}
	if (tasks)
		closedir(tasks);
	return ours;
}

/* Our number for what ns knows as pid, or 0. */
static int ns_search(const struct ns *ns, int pid)
{
	char process[sizeof("/proc/") + NAME_MAX];
	struct dirent *e;
	int ours = 0;
	DIR *proc = opendir("/proc");

	while (proc && !ours && (e = readdir(proc))) {
		if (!is_pid(e->d_name))
			continue;
		snprintf(process, sizeof(process), "/proc/%s", e->d_name);
		if (ns->kind == PID_THREAD)
			ours = ns_search_tasks(ns, process, pid);
		else if (!ns_matches(ns, process, pid, &ours))
			ours = 0;
	}
	if (proc)
		closedir(proc);
	return ours;
}

/* What we call what the tracee calls pid: pid itself in the same namespace; 0: unknown. */
int decode_pid_ours(struct decoder *d, enum pid_kind kind, int pid)
{
	int pids[NS_DEPTH_MAX], ours = 0;
	char self[NS_LINK_MAX], tracee[32];
	struct ns ns = {.kind = kind};
	unsigned n;

	if (!d->tcb)
		return pid;
	snprintf(tracee, sizeof(tracee), "/proc/%d", d->tcb->tid);
	if (!ns_link(tracee, ns.link) || !ns_link("/proc/self", self))
		return pid;
	if (!strcmp(ns.link, self))
		return pid;
	n = ns_pids(tracee, PID_THREAD, pids);
	if (n < 2)
		return pid;
	ns.level = n - 1;
	if (ns_matches(&ns, tracee, pid, &ours))
		return ours;
	return ns_search(&ns, pid);
}

struct value *decode_pid(struct decoder *d, enum pid_kind kind, int pid)
{
	struct value *v = value_new(d->arena, VALUE_PID, (uint64_t)(int64_t)pid);
	const struct decode_config *config = d->config;
	bool named = config->pid_comm && kind <= PID_PROCESS;
	char comm[PROC_COMM_SIZE];
	int ours;

	v->width = 4;
	if (likely(!named && !config->pid_translate) || pid <= 0)
		return v;
	ours = decode_pid_ours(d, kind, pid);
	if (ours <= 0)
		return v;
	if (named && proc_comm(ours, comm) && *comm) {
		v->len = strlen(comm);
		v->str = arena_strndup(d->arena, comm, v->len);
	}
	if (config->pid_translate && ours != pid)
		v->comment = arena_printf(d->arena, "%d in strace's PID NS", ours);
	return v;
}

struct value *decode_pid_or_group(struct decoder *d, int pid)
{
	struct value *v;

	if (pid >= -1 || pid == INT_MIN)
		return decode_pid(d, PID_PROCESS, pid);
	v = decode_pid(d, PID_GROUP, -pid);
	v->num = (uint64_t)(int64_t)pid;
	return v;
}

/* Which ids they are that a number before them tells of. */
const struct type_case priority_ids[] = {
	CASE(PRIO_PROCESS, TGID), CASE(PRIO_PGRP, PGID), {0, NULL}};
const struct type_case ioprio_ids[] = {
	CASE(IOPRIO_WHO_PROCESS, TGID), CASE(IOPRIO_WHO_PGRP, PGID), {0, NULL}};
const struct type_case f_owner_ids[] = {
	CASE(F_OWNER_TID, PID), CASE(F_OWNER_PID, TGID), CASE(F_OWNER_PGRP, PGID), {0, NULL}};
const struct type_case sched_core_ids[] = {CASE(0, PID), CASE(1, TGID), CASE(2, PGID), {0, NULL}};
