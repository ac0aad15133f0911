/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides which calls in two runs of a program are equal. Paths, flags, names and peer addresses
 * matter. Pids, pointers, times, sizes and descriptor numbers do not.
 */
#ifndef TRACER_SINKS_DIFF_CALL_H
#define TRACER_SINKS_DIFF_CALL_H

#include "event/event.h"
#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * The names of files that the program created; initially {0}. Such names may be random, like the
 * names that mkstemp(3) chooses, so a file is identified by the order of creation.
 */
struct fresh_names {
	struct table by_hash; /* maps the hash of a name to the name's number, starting from 1 */
	size_t n;
};

void fresh_names_deinit(struct fresh_names *f);
/* Adds the name of the file or directory that the call has created, if any. */
void fresh_names_note(struct fresh_names *f, const struct syscall_event *e);

struct call_keys {
	uint64_t key;	/* hash of the call's name and its significant arguments */
	uint64_t loose; /* like `key`, but ignores generated names and the numbers in names */
	uint64_t data;	/* hash of the transferred data, with the same rules as `loose`; 0 if
			   there is no data or it cannot be compared */
};

/* Sets *k to the hashes of a call that has returned or is unfinished. */
void call_keys(struct call_keys *k, const struct fresh_names *fresh, const struct syscall_event *e);
/*
 * Returns a hash of a string that does not depend on the numbers and generated names in the string.
 */
uint64_t loose_hash(const struct fresh_names *fresh, const char *s, size_t n);
static inline uint64_t key_mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

/*
 * Copies `e` to *copy with the arguments as they are shown: pointers and the environment are
 * replaced with "...", strings other than paths are truncated to `limit` bytes, and long lists are
 * cut. The values are allocated in the arena `a`.
 */
void call_shown(struct syscall_event *copy, const struct syscall_event *e, struct arena *a,
		size_t limit);

/*
 * Returns true if scheduling affects the number and the results of calls with this name, so that a
 * comparison of such calls is not useful.
 */
bool call_is_timing(const char *name);
/*
 * Returns true if the call is rarely interesting and depends on timing. Such calls manage memory,
 * wait for children, return from a signal handler or get random bytes.
 */
bool call_is_quiet(const char *name);
/*
 * Returns true if a different result of this call counts as a difference. Must be called only if
 * the call succeeded.
 */
bool call_result_counts(const struct syscall_event *e);

/*
 * Returns the value of an argument at syscall exit, or NULL if there is no argument with this name.
 */
const struct value *call_arg(const struct syscall_event *e, const char *name);
/*
 * Appends the path that a call refers to, as an absolute path if possible. Returns false if there
 * is none.
 */
bool call_path(struct strbuf *b, const struct syscall_event *e);

#endif
