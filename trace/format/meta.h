/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The metadata of a recording: pairs of a name and a text, in the order in which they were added. A
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
	/* The pair owns both strings. */
};

/* Values of the name "io-uring". */
enum meta_io_uring {
	/* the recording contains the queues of io_urings, as memory that was read at calls */
	META_QUEUES = 1,
	/* the recording contains the requests as stops, because the engine reported them */
	META_REQUESTS = 2
};

/* The metadata; initially {0}. */
struct trace_meta {
	VEC(struct meta_pair) pairs;
};

void meta_deinit(struct trace_meta *m);
void meta_add(struct trace_meta *m, const char *name, const char *text);
void meta_add_foreign(struct trace_meta *m, const char *name, struct foreign text);
void meta_add_number(struct trace_meta *m, const char *name, uint64_t n);
/*
 * Returns the text of the first pair with this name. m owns the text. If there is no such pair,
 * the result is unset.
 */
struct foreign meta_get(const struct trace_meta *m, const char *name);
/*
 * Returns the text of the first pair with this name as a number. Returns `what` if there is no such
 * pair, or if the text of the pair is not a number.
 */
uint64_t meta_get_number(const struct trace_meta *m, const char *name, uint64_t what);

/*
 * Adds metadata about this machine and this run, with the names run (a unique id), host, kernel,
 * kernel-version, machine, boot, uid and zone.
 */
void meta_add_host(struct trace_meta *m);

/*
 * Returns the time zone of the recording. The caller frees the result. Returns NULL if the zone is
 * unknown, or if it could make tzset(3) read a file outside the system's time zone directory.
 */
char *meta_zone(const struct trace_meta *m);

/*
 * meta_put() writes the body of a META block. meta_parse() parses it, and returns false if it is
 * invalid.
 */
void meta_put(const struct trace_meta *m, struct strbuf *b);
bool meta_parse(struct trace_meta *m, const void *bytes, size_t n);

#endif
