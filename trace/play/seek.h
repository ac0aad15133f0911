/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the STATE block (doc/trace-format.md) at which reading can start, so that earlier blocks
 * need not be read.
 */
#ifndef TRACER_TRACE_PLAY_SEEK_H
#define TRACER_TRACE_PLAY_SEEK_H

#include "trace/format/block.h"

/*
 * Finds the last complete STATE block that is not later than `when` (CLOCK_REALTIME in
 * nanoseconds). Uses the index at the end of the file. If there is no index, uses bisection, which
 * works because blocks are in chronological order. Stores the block's header in *h, replaces the
 * contents of *body with the block's body, and sets *next to the offset of the block's end. Does
 * not change the read position. Returns false if there is no such block, or if the file is a pipe.
 */
bool seek_find(const struct block_reader *r, int64_t when, struct block_header *h,
	       struct strbuf *body, uint64_t *next);

/*
 * Finds the same STATE block as seek_find(), but also works for a pipe. Skips the blocks before the
 * STATE block without decompressing their bodies. The next block_next() returns the STATE block. If
 * there is no such block, returns false and does not change the read position.
 */
bool seek_ahead(struct block_reader *r, int64_t when);

#endif
