/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known of a recording as a whole: pairs of a name and a text, in the order in which they
 * were added. A name may occur several times. doc/trace-format.md lists the names.
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
/* The text of the first pair with that name, if there is one; owned by m. */
struct foreign meta_get(const struct trace_meta *m, const char *name);
/* The number that the text is; otherwise, or if there is none, what. */
uint64_t meta_get_number(const struct trace_meta *m, const char *name, uint64_t what);

/*
 * Adds what there is to know of this machine and this run: host, boot, kernel, machine, user, zone,
 * and a run that is different from every other.
 */
void meta_add_host(struct trace_meta *m);

/*
 * The time zone of the recording in a form that tzset(3) reads from no other place than the
 * system's folder of zones, which the caller frees; NULL if it is not known, or is anything else.
 */
char *meta_zone(const struct trace_meta *m);

/* The body of a META block, and back. Returns false if it is none. */
void meta_put(const struct trace_meta *m, struct strbuf *b);
bool meta_parse(struct trace_meta *m, const void *bytes, size_t n);

#endif
