/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ids of threads, processes, process groups and sessions: their names, and their ids in tracer's
 * pid namespace.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/ioprio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "decode/core/decode.h"
#include "decode/process/process.h"
#include "decode/core/type.h"

pid_t decode_pid_ours(struct decoder *d, enum pid_kind kind, pid_t pid)
{
	return fact_pid(d->facts, d->tid, kind, pid);
}

struct value *decode_known_pid(struct decoder *d, int pid, pid_t ours)
{
	struct value *v = value_new(d->arena, VALUE_PID, (uint64_t)(int64_t)pid);
	char comm[16];

	v->width = 4;
	if (d->config->pid_comm && ours > 0 && fact_comm(d->facts, ours, comm) && *comm) {
		v->len = strlen(comm);
		v->str = arena_strndup(d->arena, comm, v->len);
	}
	return v;
}

struct value *decode_pid(struct decoder *d, enum pid_kind kind, int pid)
{
	const struct decode_config *config = d->config;
	bool named = config->pid_comm && kind <= PID_PROCESS;
	struct value *v;
	pid_t ours = 0;

	if (unlikely(named || config->pid_translate) && pid > 0 && !decode_is_spent(d)) {
		arena_charge(d->arena, BUDGET_FACT);
		ours = decode_pid_ours(d, kind, pid);
	}
	v = decode_known_pid(d, pid, named ? ours : 0);
	if (config->pid_translate && ours > 0 && ours != pid)
		v->comment = arena_printf(d->arena, "%d in strace's PID NS", (int)ours);
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

static struct value *pid_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_pid(d, PID_THREAD, (int)n);
}

static struct value *tgid_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_pid(d, PID_PROCESS, (int)n);
}

static struct value *pgid_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_pid(d, PID_GROUP, (int)n);
}

static struct value *sid_number(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_pid(d, PID_SESSION, (int)n);
}

static struct value *pid_or_group_number(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	return decode_pid_or_group(d, (int)n);
}

#define NUMBER(n) const struct type_ops type_##n = {.name = #n, .number = n##_number}
NUMBER(pid);
NUMBER(tgid);
NUMBER(pgid);
NUMBER(sid);
NUMBER(pid_or_group);

/* In personality(2), 0xffffffff only queries the current personality. */
const struct type_case personality_query[] = {CASE(UINT32_MAX, HEX32), {0, NULL}};

/* For SWITCH(): another argument, such as P_PID of waitid(2), determines the type of an id. */
const struct type_case waitid_ids[] = {
	CASE(P_PID, TGID), CASE(P_PGID, PGID), CASE(P_PIDFD, FD), {0, NULL}};
const struct type_case priority_ids[] = {
	CASE(PRIO_PROCESS, TGID), CASE(PRIO_PGRP, PGID), {0, NULL}};
const struct type_case ioprio_ids[] = {
	CASE(IOPRIO_WHO_PROCESS, TGID), CASE(IOPRIO_WHO_PGRP, PGID), {0, NULL}};
const struct type_case f_owner_ids[] = {
	CASE(F_OWNER_TID, PID), CASE(F_OWNER_PID, TGID), CASE(F_OWNER_PGRP, PGID), {0, NULL}};
const struct type_case sched_core_ids[] = {
	CASE(0, PID), CASE(1, TGID), CASE(2, PGID), CASE(3, SID), {0, NULL}};
