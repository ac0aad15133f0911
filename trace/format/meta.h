/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metadata of a recording: pairs of a name and a text, in insertion order. A name may occur several
 * times. doc/trace-format.md lists the names.
 */
#ifndef TRACER_TRACE_FORMAT_META_H
#define TRACER_TRACE_FORMAT_META_H

#include "util/foreign.h"
#include "util/strbuf.h"
#include "util/vec.h"

struct meta_pair {
	char *name;
	struct foreign text;
	/* Both are owned. */
};

/* {0} is empty. */
struct trace_meta {
	VEC(struct meta_pair) pairs;
};

void meta_deinit(struct trace_meta *m);
void meta_add(struct trace_meta *m, const char *name, const char *text);
void meta_add_foreign(struct trace_meta *m, const char *name, struct foreign text);
void meta_add_number(struct trace_meta *m, const char *name, uint64_t n);
/* Returns the text of the first pair with that name, owned by m, if there is one. */
struct foreign meta_get(const struct trace_meta *m, const char *name);
/* Returns the number in that text; if it is not a number or does not exist, returns `what`. */
uint64_t meta_get_number(const struct trace_meta *m, const char *name, uint64_t what);

/*
 * Adds metadata of this machine and this run: host, boot, kernel, machine, user, zone, and a unique
 * run id.
 */
void meta_add_host(struct trace_meta *m);

/*
 * Returns the time zone of the recording, which the caller frees, provided that tzset(3) would read
 * it only from the system's folder of zones. Otherwise, or if it is unknown, returns NULL.
 */
char *meta_zone(const struct trace_meta *m);

/* Write and read the body of a META block. meta_take() returns false if it is invalid. */
void meta_put(const struct trace_meta *m, struct strbuf *b);
bool meta_parse(struct trace_meta *m, const void *bytes, size_t n);

#endif
