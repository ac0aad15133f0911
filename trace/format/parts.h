/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which threads have stops in which part of a trace (blocks THREADS of doc/trace-format.md). A part
 * begins at the start, or at a block STATE, and ends before the next one; it can be read without
 * those before it. So who wants to see some threads of a long trace need not read all of it.
 */
#ifndef TRACER_TRACE_FORMAT_PARTS_H
#define TRACER_TRACE_FORMAT_PARTS_H

#include <sys/types.h>

#include "trace/format/block.h"
#include "util/vec.h"

/* While a trace is written. {0} is at the start of the first part. */
struct part_book {
	struct strbuf body;    /* of the next block THREADS: parts that have ended */
	struct strbuf threads; /* of the part under way */
	size_t count;	       /* of those threads */
	uint64_t part;	       /* its number, from 0 on */
	int64_t tgid;	       /* of the thread that was added last */
};

void part_book_deinit(struct part_book *b);
/* The part under way has a stop of that thread. What is known of it already is not added twice. */
void part_book_add(struct part_book *b, pid_t tgid, pid_t tid);
/* The part ends, and the next one begins. */
void part_book_end(struct part_book *b);
/* Whether what has ended is to be written now: there is enough of it for a block. */
bool part_book_full(const struct part_book *b);

/* While a trace is read. */
struct trace_part {
	uint64_t offset; /* in the file, of its block STATE; of the first part 0 */
	bool wanted;	 /* it may have stops of a thread that is asked for */
};
/* {0} is empty. */
struct trace_parts {
	VEC(struct trace_part) parts;
};

void trace_parts_deinit(struct trace_parts *p);
/*
 * Looks up which parts may have stops of one of n threads: ids of threads, or of their processes.
 * What is not known of a part, or damaged, makes it wanted; so is the last one, which has the end.
 * Returns false if the trace has no index, or is a pipe; then there are no parts.
 */
bool trace_parts_read(struct trace_parts *p, const struct block_reader *r, const pid_t *ids,
		      size_t n);
/*
 * The part to go on with where the part begins whose block STATE is at that offset (0: the first):
 * that one or, if it is not wanted, a later one. NULL: that part is not known.
 */
const struct trace_part *trace_parts_next(const struct trace_parts *p, uint64_t offset);

#endif
