/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the blocks of a trace file, and prints messages about missing or damaged blocks. */
#ifndef TRACER_TRACE_PLAY_TRACE_H
#define TRACER_TRACE_PLAY_TRACE_H

#include "trace/format/block.h"
#include "trace/format/meta.h"

struct trace;
/*
 * Opens a trace file ("-" is standard input) and reads its metadata. If the file cannot be read, is
 * not a trace, or contains no complete block, prints one message and returns NULL.
 */
struct trace *trace_open(const char *path);
/*
 * Does the same as trace_open() for a trace that consists of n bytes in memory, which are borrowed.
 * `name` is used in messages.
 */
struct trace *trace_of_bytes(const char *name, const void *bytes, size_t n);
/* Returns the metadata, which is owned by t. */
const struct trace_meta *trace_meta(const struct trace *t);
/* Returns the header of the first block. This is the META block unless that block is missing. */
const struct block_header *trace_first(const struct trace *t);
/* Returns the start of the recording (CLOCK_REALTIME in nanoseconds), or 0 if it is unknown. */
int64_t trace_began(const struct trace *t);
/* Returns the size of the file in bytes, or 0 if it is unknown, for example for a pipe. */
uint64_t trace_size(const struct trace *t);
/* Returns the file offset of the block that was read last. */
uint64_t trace_position(const struct trace *t);
/* Does the same as block_next() for the blocks of t. */
bool trace_next(struct trace *t, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * Seeks to the last STATE block at or before `when` (CLOCK_REALTIME in nanoseconds). From there,
 * all events after `when` can be read. Stores the block's header in *h, and replaces the contents
 * of *body with its body. trace_next() continues after that block. If there is no such block,
 * returns false. In this case, the read position does not change, and the body returned by the last
 * trace_next() stays valid.
 */
bool trace_seek(struct trace *t, int64_t when, struct block_header *h, struct strbuf *body);
/*
 * Restricts reading to n threads. ids contains ids of threads or processes. After that,
 * trace_skip() skips parts that contain no stops of these threads.
 */
void trace_choose(struct trace *t, const pid_t *ids, size_t n);
/*
 * Must be called at the start of each part: after trace_next() has returned the part's STATE block
 * or, with `first`, at the start of the trace. If the part contains no stops of a chosen thread,
 * seeks to a later part like trace_seek() and returns true. Otherwise, returns false.
 */
bool trace_skip(struct trace *t, bool first, struct block_header *h, struct strbuf *body);
/*
 * Must be called if reading was stopped because more than TRACE_KEPT_MAX bytes of memory would be
 * needed.
 */
void trace_give_up(struct trace *t);
/* Frees t, which may be NULL. Prints no message if the trace is damaged. */
void trace_destroy(struct trace *t);
/*
 * Frees t, which may be NULL. If the trace could not be read, or if data is missing or damaged,
 * prints a message and returns -errno. Otherwise returns 0.
 */
int trace_close(struct trace *t);

#endif
