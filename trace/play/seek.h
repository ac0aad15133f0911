/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds where in a trace file reading may begin, without reading what is before: blocks STATE of
 * doc/trace-format.md.
 */
#ifndef TRACER_TRACE_PLAY_SEEK_H
#define TRACER_TRACE_PLAY_SEEK_H

#include "trace/format/block.h"

/*
 * Finds the last whole block STATE that is not later than when (CLOCK_REALTIME in ns): by the index
 * at the end of the file or, if that is missing, by halving the file, as blocks are in the order of
 * time. Gives its header, its body in place of what is in *body, and the offset behind it. Reading
 * stays where it is. Returns false if there is none, or if the file is a pipe.
 */
bool seek_find(const struct block_reader *r, int64_t when, struct block_header *h,
	       struct strbuf *body, uint64_t *next);

/*
 * The same for a pipe: passes over what is before that block, which is the next one then, and looks
 * at no body. Returns false if there is no such block; then reading stays where it is.
 */
bool seek_ahead(struct block_reader *r, int64_t when);

#endif
