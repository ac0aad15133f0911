/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of the threads that have stops in each part of a trace (THREADS blocks of
 * doc/trace-format.md). A part begins at the start of the trace or at a STATE block, and ends
 * before the next STATE block. Each part can be read without the earlier parts, so a reader that
 * needs only a few threads of a long trace can skip most of the trace.
 */
#ifndef TRACER_TRACE_FORMAT_PARTS_H
#define TRACER_TRACE_FORMAT_PARTS_H

#include <sys/types.h>

#include "trace/format/block.h"
#include "util/vec.h"

/*
 * The list of parts of a trace that is being written. Initially {0}, which means the start of the
 * first part.
 */
struct part_list {
	struct strbuf body;    /* the finished parts, as the body of the next THREADS block */
	struct strbuf threads; /* threads of the current part */
	size_t count;	       /* number of threads in `threads` */
	uint64_t part;	       /* index of the current part */
	int64_t tgid;	       /* process of the thread that was added last */
};

void part_list_deinit(struct part_list *b);
/*
 * Records that the thread tid of process tgid has a stop in the current part. A thread may be added
 * more than once.
 */
void part_list_add(struct part_list *b, pid_t tgid, pid_t tid);
/* Ends the current part and begins the next one. */
void part_list_end(struct part_list *b);
/*
 * Returns true if the data about the finished parts is large enough for a THREADS block. The caller
 * must then write this block.
 */
bool part_list_full(const struct part_list *b);

/* A part of a trace that is being read. */
struct trace_part {
	uint64_t offset; /* file offset of the part's STATE block; 0 for the first part */
	bool wanted;	 /* true if the part may contain stops of a requested thread */
};
/* The parts of a trace; initially {0}. */
struct trace_parts {
	VEC(struct trace_part) parts;
};

void trace_parts_deinit(struct trace_parts *p);
/*
 * Determines which parts may contain stops of any of the n threads. ids contains ids of threads or
 * processes. Always includes parts whose THREADS data is missing or invalid, and the last part,
 * because it contains the end of the trace. If the trace has no index or is a pipe, returns false
 * and leaves the list empty.
 */
bool trace_parts_read(struct trace_parts *p, const struct block_reader *r, const pid_t *ids,
		      size_t n);
/*
 * Returns the first wanted part at or after the part whose STATE block is at `offset` (0 means the
 * first part). Returns NULL if there is no part at this offset.
 */
const struct trace_part *trace_parts_next(const struct trace_parts *p, uint64_t offset);

#endif
