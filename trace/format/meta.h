/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The metadata of a recording: pairs of name and text, in the order in which they were added. A
 * name may occur several times. doc/trace-format.md lists the names.
 */
#ifndef TRACER_TRACE_FORMAT_META_H
#define TRACER_TRACE_FORMAT_META_H

#include "util/foreign.h"
#include "util/strbuf.h"
#include "util/vec.h"

struct meta_pair {
	char *name;
	struct foreign text;
	/* Both strings are owned. */
};

/* {0} is empty. */
struct trace_meta {
	VEC(struct meta_pair) pairs;
};

void meta_deinit(struct trace_meta *m);
void meta_add(struct trace_meta *m, const char *name, const char *text);
void meta_add_foreign(struct trace_meta *m, const char *name, struct foreign text);
void meta_add_number(struct trace_meta *m, const char *name, uint64_t n);
/*
 * Returns the text of the first pair with this name. If there is no such pair, the result is marked
 * as not given. m owns the text.
 */
struct foreign meta_get(const struct trace_meta *m, const char *name);
/*
 * Returns the text of meta_get() as a number, or `what` if the text is missing or is not a number.
 */
uint64_t meta_get_number(const struct trace_meta *m, const char *name, uint64_t what);

/*
 * Adds metadata about this machine and this run: host, boot, kernel, machine, user, zone, and a
 * unique run id.
 */
void meta_add_host(struct trace_meta *m);

/*
 * Returns the time zone of the recording, which the caller frees. Returns NULL if the zone is
 * unknown, or if tzset(3) might read a file outside the system's time zone folder for it.
 */
char *meta_zone(const struct trace_meta *m);

/* Writes and parses the body of a META block. meta_parse() returns false if it is invalid. */
void meta_put(const struct trace_meta *m, struct strbuf *b);
bool meta_parse(struct trace_meta *m, const void *bytes, size_t n);

#endif
