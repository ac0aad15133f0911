/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The last blocks of a recording, kept in memory until somebody wants to see them: --last with
 * --write-trace. Each of them begins anew, so that a trace may begin with any of them.
 */
#ifndef TRACER_TRACE_RECORD_TAPE_H
#define TRACER_TRACE_RECORD_TAPE_H

#include "trace/format/block.h"

struct tape;

/*
 * Keeps so many calls at least, and not many more. path is the beginning of the names of files,
 * which end with .1, .2, and so on; it is copied. Never NULL.
 */
struct tape *tape_create(const char *path, size_t calls);
void tape_destroy(struct tape *t); /* NULL is fine */

/* So many calls are to be in a block. */
size_t tape_block_calls(const struct tape *t);
/* Keeps a block with so many calls, and takes its body over; *body gets an empty one. */
void tape_put(struct tape *t, const struct block_header *h, struct strbuf *body, size_t calls);

/* What was written. */
struct tape_written {
	char *path;	    /* of the file; valid until the next call */
	size_t calls;	    /* in it */
	uint64_t all_calls; /* that there ever were */
};
/*
 * Writes what is kept to the next file, behind a block META with that header and body, and keeps it
 * no longer. Nothing is written if nothing is kept: then path is NULL. Returns 0, or -errno after a
 * message.
 */
int tape_write(struct tape *t, const struct block_header *meta, const struct strbuf *meta_body,
	       struct tape_written *w);

#endif
