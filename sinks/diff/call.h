/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides which calls of two runs of a program count as the same. Paths, flags, names and addresses
 * of peers matter; pids, pointers, times, sizes and descriptor numbers do not.
 */
#ifndef TRACER_SINKS_DIFF_CALL_H
#define TRACER_SINKS_DIFF_CALL_H

#include "event/event.h"
#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * Names of files that the program created, because they may be generated, such as those of
 * mkstemp(3). They are identified by their order of creation. {0} is empty.
 */
struct fresh_names {
	struct table by_hash; /* maps the hash of a name to its number, counted from 1 */
	size_t n;
};

void fresh_names_deinit(struct fresh_names *f);
/* Adds the name of a file if the call has created it. */
void fresh_names_note(struct fresh_names *f, const struct syscall_event *e);

struct call_keys {
	uint64_t key;	/* hash of the name and the arguments that matter */
	uint64_t loose; /* like key, but ignores generated names and numbers within names */
	uint64_t data;	/* hash of the transferred data by the same rules as loose; 0 if there are
			   none or they cannot be compared */
};

void call_keys(struct call_keys *k, const struct fresh_names *fresh, const struct syscall_event *e);
/* Returns a hash of bytes that ignores numbers and generated names in them. */
uint64_t loose_hash(const struct fresh_names *fresh, const char *s, size_t n);
static inline uint64_t key_mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

/*
 * Copies e to *copy and sets the arguments' `in` values to those that are shown: pointers become
 * "...", and strings other than paths are cut to limit bytes. The values are allocated in a.
 */
void call_shown(struct syscall_event *copy, const struct syscall_event *e, struct arena *a,
		size_t limit);

/*
 * Whether the number of calls with this name, and their results, depend on scheduling, so that
 * comparing them is pointless.
 */
bool call_is_timing(const char *name);
/*
 * Whether the call is rarely of interest and depends on timing: it manages memory, waits for
 * children, returns from a signal handler or gets random bytes.
 */
bool call_is_quiet(const char *name);
/* Whether it matters if two successful calls return different results. */
bool call_result_counts(const struct syscall_event *e);

/* Returns the argument with that name, as known at the exit, or NULL. */
const struct value *call_arg(const struct syscall_event *e, const char *name);
/* Appends the path that a call refers to, absolute if known. Returns false if there is none. */
bool call_path(struct strbuf *b, const struct syscall_event *e);

#endif
