/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What makes a call the same in two runs of a program. Paths, flags, names and addresses of peers
 * matter; pids, pointers, times, sizes and numbers of descriptors do not.
 */
#ifndef TRACER_SINKS_DIFF_CALL_H
#define TRACER_SINKS_DIFF_CALL_H

#include "event/event.h"
#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * Names that the program has made up, such as those of mkstemp(3): what it has made where nothing
 * was before. They are known by their order. {0} is empty.
 */
struct fresh_names {
	struct table by_hash; /* of a name: its number, from 1 on */
	size_t n;
};

void fresh_names_deinit(struct fresh_names *f);
/* Adds the name if the call has made one. */
void fresh_names_note(struct fresh_names *f, const struct syscall_event *e);

struct call_keys {
	uint64_t key;	/* its name, and the arguments that matter */
	uint64_t loose; /* the same, but for numbers within names, and for fresh names */
	uint64_t data;	/* what it has moved, as loosely; 0: nothing, or nothing to compare */
};

void call_keys(struct call_keys *k, const struct fresh_names *fresh, const struct syscall_event *e);
/* A hash of bytes that is the same for other numbers in them, and other fresh names. */
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

/* Whether its number and results depend on when threads run, so that nothing is learnt of them. */
bool call_is_timing(const char *name);
/*
 * Whether it only arranges memory, makes up names, or looks after children and signals, which says
 * little and depends on the moment.
 */
bool call_is_quiet(const char *name);
/* Whether another result, without an error, says something. */
bool call_result_counts(const struct syscall_event *e);

/* The argument of that name as it is known at the exit, or NULL. */
const struct value *call_arg(const struct syscall_event *e, const char *name);
/* The path that a call is about, in full where it is known, appended to b. Returns false: none. */
bool call_path(struct strbuf *b, const struct syscall_event *e);

#endif
