/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace file that is being read: its blocks, and messages about missing blocks. */
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
/* Does the same for a trace of n bytes in memory, which is borrowed. name is used in messages. */
struct trace *trace_of_bytes(const char *name, const void *bytes, size_t n);
/* Returns the metadata, which t owns. */
const struct trace_meta *trace_meta(const struct trace *t);
/* Returns the header of the first block. This is the META block unless that is missing. */
const struct block_header *trace_first(const struct trace *t);
/* Returns the start of the recording (CLOCK_REALTIME in ns), or 0 if it is unknown. */
int64_t trace_began(const struct trace *t);
/* Works like block_next(). */
bool trace_next(struct trace *t, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * Seeks to the last STATE block at or before `when` (CLOCK_REALTIME in ns), from which everything
 * after `when` can be shown. Stores its header in *h and its body in *body, whose contents are
 * replaced. trace_next() continues after that block. If there is no such block, returns false; the
 * read position and the body returned by the last trace_next() stay valid.
 */
bool trace_seek(struct trace *t, int64_t when, struct block_header *h, struct strbuf *body);
/*
 * Restricts reading to n threads, given as thread or process ids. trace_skip() then skips parts
 * without stops of these threads.
 */
void trace_choose(struct trace *t, const pid_t *ids, size_t n);
/*
 * Must be called at the start of a part: after trace_next() has returned its STATE block or, with
 * `first`, at the start of the trace. If the part has no chosen thread, seeks to a later part like
 * trace_seek(). Returns false if the part must be read.
 */
bool trace_skip(struct trace *t, bool first, struct block_header *h, struct strbuf *body);
/*
 * Must be called if reading was stopped because it would need more than TRACE_KEPT_MAX bytes of
 * memory.
 */
void trace_give_up(struct trace *t);
/* Frees t without printing a message about damage. t may be NULL. */
void trace_destroy(struct trace *t);
/*
 * Frees t, which may be NULL. If data was missing or damaged, prints a message and returns -errno.
 * Otherwise returns 0.
 */
int trace_close(struct trace *t);

#endif
