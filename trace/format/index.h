/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The index at the end of a trace file: blocks INDEX of doc/trace-format.md. */
#ifndef TRACER_TRACE_FORMAT_INDEX_H
#define TRACER_TRACE_FORMAT_INDEX_H

#include "trace/format/block.h"
#include "util/vec.h"

/* A block, as the index has it. */
struct index_entry {
	uint64_t offset; /* in the file */
	uint8_t kind;
	int64_t first, real; /* as in its header */
};
/* {0} is empty; freed by vec_deinit(). */
typedef VEC(struct index_entry) index_entries;

/* Where the last block INDEX of the file is; 0: it has none, or is a pipe. */
uint64_t index_last(const struct block_reader *r);
/*
 * Gives the entries of the block INDEX at *offset, in the order of the file, in place of what is in
 * *e, and where the block INDEX before it is, or 0. Returns false if it is damaged.
 */
bool index_read(const struct block_reader *r, uint64_t *offset, index_entries *e);

#endif
