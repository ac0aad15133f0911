/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace file that is being read: its blocks, and messages about missing ones. */
#ifndef TRACER_TRACE_PLAY_TRACE_H
#define TRACER_TRACE_PLAY_TRACE_H

#include "trace/format/block.h"
#include "trace/format/meta.h"

struct trace;
/*
 * Opens a trace file, "-" for standard input, and reads its metadata. Returns NULL after one
 * message if it cannot be read, is not a trace, or contains no whole block.
 */
struct trace *trace_open(const char *path);
/* The same for n bytes of memory, which are borrowed. name is used in messages. */
struct trace *trace_of_bytes(const char *name, const void *bytes, size_t n);
/* Owned by t. */
const struct trace_meta *trace_meta(const struct trace *t);
/* Returns the header of the first block, which is META unless that block is missing. */
const struct block_header *trace_first(const struct trace *t);
/* Returns the start of the recording, CLOCK_REALTIME in ns; 0 if it is missing. */
int64_t trace_began(const struct trace *t);
/* Like block_next(). */
bool trace_next(struct trace *t, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * Seeks to the last STATE block at or before `when` (CLOCK_REALTIME, in ns), from which everything
 * after `when` can be shown. Stores its header in *h and replaces the content of *body by its body;
 * trace_next() continues after it. Returns false if there is no such block; then the position and
 * the body of the last trace_next() stay as they were.
 */
bool trace_seek(struct trace *t, int64_t when, struct block_header *h, struct strbuf *body);
/*
 * Restricts reading to n threads, given as thread or process ids: trace_skip() then skips parts
 * without their stops.
 */
void trace_choose(struct trace *t, const pid_t *ids, size_t n);
/*
 * To be called at the start of a part, after trace_next() has returned its STATE block or, with
 * first, at the start of the trace. If this part has no chosen thread, continues at a later part,
 * like trace_seek(). Returns false if this part has to be read.
 */
bool trace_skip(struct trace *t, bool first, struct block_header *h, struct strbuf *body);
/* Ends reading, because a reader would have to keep more than TRACE_KEPT_MAX bytes. */
void trace_give_up(struct trace *t);
/* Frees t without a message, whatever is wrong with it. t may be NULL. */
void trace_destroy(struct trace *t);
/*
 * Frees t. Returns 0, or -errno after a message if part of what was read is missing or damaged. t
 * may be NULL.
 */
int trace_close(struct trace *t);

#endif
