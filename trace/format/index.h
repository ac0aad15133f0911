/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of a trace file. It consists of INDEX blocks near the end of the file
 * (doc/trace-format.md).
 */
#ifndef TRACER_TRACE_FORMAT_INDEX_H
#define TRACER_TRACE_FORMAT_INDEX_H

#include "trace/format/block.h"
#include "util/vec.h"

/* An entry of the index. It describes one block. */
struct index_entry {
	uint64_t offset; /* offset of the block in the file */
	uint8_t kind;
	int64_t first, real; /* times, as in the header of the block */
};
/* A list of index entries; initially {0}. Free it with vec_deinit(). */
typedef VEC(struct index_entry) index_entries;

/* Returns the offset of the last INDEX block, or 0 if the file has none or is a pipe. */
uint64_t index_last(const struct block_reader *r);
/*
 * Replaces the contents of *e with the entries of the INDEX block at file offset *offset, in file
 * order. Sets *offset to the offset of the previous INDEX block, or to 0 if there is none. Returns
 * false if the block is damaged.
 */
bool index_read(const struct block_reader *r, uint64_t *offset, index_entries *e);

#endif
