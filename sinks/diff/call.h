/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides when calls of two runs of a program count as the same. Paths, flags, names and addresses
 * of peers matter; pids, pointers, times, sizes and descriptor numbers do not.
 */
#ifndef TRACER_SINKS_DIFF_CALL_H
#define TRACER_SINKS_DIFF_CALL_H

#include "event/event.h"
#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * Names made up by the program, such as those of mkstemp(3): names of files that it created. They
 * are identified by their order. {0} is empty.
 */
struct fresh_names {
	struct table by_hash; /* from a name to its number, from 1 on */
	size_t n;
};

void fresh_names_deinit(struct fresh_names *f);
/* Adds the name if the call has created one. */
void fresh_names_note(struct fresh_names *f, const struct syscall_event *e);

struct call_keys {
	uint64_t key;	/* hash of the name and the arguments that matter */
	uint64_t loose; /* the same, ignoring numbers within names and fresh names */
	uint64_t data;	/* hash of the transferred data, as loosely; 0: none, or not comparable */
};

void call_keys(struct call_keys *k, const struct fresh_names *fresh, const struct syscall_event *e);
/* A hash of bytes that ignores numbers in them and fresh names. */
uint64_t loose_hash(const struct fresh_names *fresh, const char *s, size_t n);
static inline uint64_t key_mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

/*
 * Calls e->base.args[i].in of a copy of e with what is shown of it: pointers as "...", strings that
 * are no paths of at most limit bytes. Values are made in a.
 */
void call_shown(struct syscall_event *copy, const struct syscall_event *e, struct arena *a,
		size_t limit);

/*
 * Whether the number of such calls and their results depend on scheduling, so that comparing them
 * is pointless.
 */
bool call_is_timing(const char *name);
/*
 * Whether the call only manages memory, makes up names, or handles children and signals, which says
 * little and depends on timing.
 */
bool call_is_quiet(const char *name);
/* Whether a different successful result is significant. */
bool call_result_counts(const struct syscall_event *e);

/* Returns the argument of that name as known at exit, or NULL. */
const struct value *call_arg(const struct syscall_event *e, const char *name);
/* Appends the path that a call is about to b, absolute if known. Returns false if there is none. */
bool call_path(struct strbuf *b, const struct syscall_event *e);

#endif
