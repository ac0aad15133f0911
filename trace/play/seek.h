/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the STATE block of doc/trace-format.md at which reading of a trace can begin, without
 * reading the earlier blocks.
 */
#ifndef TRACER_TRACE_PLAY_SEEK_H
#define TRACER_TRACE_PLAY_SEEK_H

#include "trace/format/block.h"

/*
 * Finds the last whole STATE block that is not later than `when` (CLOCK_REALTIME in ns): by the
 * index at the end of the file or, if that is missing, by bisection, because blocks are in
 * chronological order. Stores its header, the offset after it, and its body, which replaces the
 * content of *body. The position of reading does not change. Returns false if there is none, or if
 * the file is a pipe.
 */
bool seek_find(const struct block_reader *r, int64_t when, struct block_header *h,
	       struct strbuf *body, uint64_t *next);

/*
 * The same for a pipe: skips to that block, which is then the next one, without reading bodies.
 * Returns false, without moving, if there is no such block.
 */
bool seek_ahead(struct block_reader *r, int64_t when);

#endif
