/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the last blocks of a recording in memory until they are requested (--last with
 * --write-trace). A trace can begin with any block, because each block can be read without the
 * others.
 */
#ifndef TRACER_TRACE_RECORD_TAPE_H
#define TRACER_TRACE_RECORD_TAPE_H

#include "trace/format/block.h"

struct tape;

/*
 * Creates a tape that keeps at least the last `calls` calls, and at most one block (a
 * sixteenth of `calls`) more. The names of the files are `path`, which is copied, followed by .1,
 * .2, and so on. Never returns NULL.
 */
struct tape *tape_create(const char *path, size_t calls);
void tape_destroy(struct tape *t); /* t may be NULL */

/* Returns the number of calls after which a block should be closed. */
size_t tape_block_calls(const struct tape *t);
/*
 * Adds a block that contains this number of calls. Takes ownership of its body; *body becomes
 * empty.
 */
void tape_put(struct tape *t, const struct block_header *h, struct strbuf *body, size_t calls);

/* The result of tape_write(). */
struct tape_written {
	char *path;	    /* name of the file, or NULL if none was created; valid until the next
			       call */
	size_t calls;	    /* number of calls in the file */
	uint64_t all_calls; /* number of calls that have ever been added to the tape */
};
/*
 * Writes a META block with the given header and body, followed by the kept blocks, to the next
 * file. Then removes the blocks from memory. If there are no blocks, writes no file and sets
 * w->path to NULL. Returns 0 on success. On failure, prints a message and returns -errno. If the
 * file cannot be created, the blocks stay in memory, and w->path is NULL.
 */
int tape_write(struct tape *t, const struct block_header *meta, const struct strbuf *meta_body,
	       struct tape_written *w);

#endif
