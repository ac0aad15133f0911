/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads that have stops in each part of a trace (THREADS blocks of doc/trace-format.md). A
 * part begins at the start of the trace or at a STATE block, and ends before the next STATE block.
 * Each part can be read without the earlier ones, so a reader interested in a few threads of a long
 * trace can skip most of it.
 */
#ifndef TRACER_TRACE_FORMAT_PARTS_H
#define TRACER_TRACE_FORMAT_PARTS_H

#include <sys/types.h>

#include "trace/format/block.h"
#include "util/vec.h"

/* The list of parts while a trace is being written. {0} is at the start of the first part. */
struct part_book {
	struct strbuf body;    /* body of the next THREADS block: finished parts */
	struct strbuf threads; /* threads of the current part */
	size_t count;	       /* number of these threads */
	uint64_t part;	       /* index of the current part */
	int64_t tgid;	       /* process of the last added thread */
};

void part_book_deinit(struct part_book *b);
/*
 * Records that the thread tid of process tgid has a stop in the current part. A thread may be added
 * repeatedly.
 */
void part_book_add(struct part_book *b, pid_t tgid, pid_t tid);
/* Ends the current part and begins the next one. */
void part_book_end(struct part_book *b);
/* Returns whether the finished parts fill a block and should be written now. */
bool part_book_full(const struct part_book *b);

/* A part of a trace that is being read. */
struct trace_part {
	uint64_t offset; /* file offset of its STATE block; 0 for the first part */
	bool wanted;	 /* the part may contain stops of a requested thread */
};
/* {0} is empty. */
struct trace_parts {
	VEC(struct trace_part) parts;
};

void trace_parts_deinit(struct trace_parts *p);
/*
 * Determines which parts may contain stops of any of the n threads, given as thread or process ids.
 * The last part is always included, because it contains the end of the trace. So are parts without
 * valid data. If the trace has no index or is a pipe, returns false and leaves the list empty.
 */
bool trace_parts_read(struct trace_parts *p, const struct block_reader *r, const pid_t *ids,
		      size_t n);
/*
 * Returns the first wanted part at or after the part whose STATE block is at `offset` (0 means the
 * first part). Returns NULL if there is no part at this offset.
 */
const struct trace_part *trace_parts_next(const struct trace_parts *p, uint64_t offset);

#endif
