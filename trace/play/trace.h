/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace file that is read: its blocks, and what is to be said of those that are missing. */
#ifndef TRACER_TRACE_PLAY_TRACE_H
#define TRACER_TRACE_PLAY_TRACE_H

#include "trace/format/block.h"
#include "trace/format/meta.h"

struct trace;
/*
 * Opens a trace file, "-" for standard input, and reads what it says of the recording. Returns NULL
 * after one message if it cannot be read, is no trace, or has nothing that is whole.
 */
struct trace *trace_open(const char *path);
/* The same for n bytes of memory, which are borrowed. name is for messages. */
struct trace *trace_of_bytes(const char *name, const void *bytes, size_t n);
/* Owned by t. */
const struct trace_meta *trace_meta(const struct trace *t);
/* The header of the first block, which is META's unless that part is missing. */
const struct block_header *trace_first(const struct trace *t);
/* When the recording began, by CLOCK_REALTIME in ns; 0 if that part of it is missing. */
int64_t trace_began(const struct trace *t);
/* As block_next(). */
bool trace_next(struct trace *t, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * Seeks to the last STATE block at or before `when` (CLOCK_REALTIME, in ns), from which everything
 * after `when` can be shown. Stores its header in *h and replaces the content of *body by its body;
 * trace_next() continues after it. Returns false if there is no such block; then the position and
 * the body of the last trace_next() stay as they were.
 */
bool trace_seek(struct trace *t, int64_t when, struct block_header *h, struct strbuf *body);
/*
 * Only the stops of n threads are of interest: ids of threads, or of their processes. From here on
 * trace_skip() passes over parts of the trace that have none.
 */
void trace_choose(struct trace *t, const pid_t *ids, size_t n);
/*
 * At the start of a part, which is a block STATE that trace_next() has just given or, with first,
 * the start of the trace: goes to a later part, if this one has nothing that was chosen, as
 * trace_seek() does. Returns false if this part is to be read.
 */
bool trace_skip(struct trace *t, bool first, struct block_header *h, struct strbuf *body);
/* Reading ends here, because a reader would have to keep more than TRACE_KEPT_MAX bytes. */
void trace_give_up(struct trace *t);
/* Frees t and says nothing, whatever is wrong with it. NULL is fine. */
void trace_destroy(struct trace *t);
/*
 * Frees t. Returns 0, or -errno if something is missing or damaged in what was read of it; then a
 * message has said so. NULL is fine.
 */
int trace_close(struct trace *t);

#endif
