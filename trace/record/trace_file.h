/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace file that is being written. A separate thread compresses and writes blocks, so that the
 * recorder neither computes nor waits, unless the thread falls far behind.
 */
#ifndef TRACER_TRACE_RECORD_TRACE_FILE_H
#define TRACER_TRACE_RECORD_TRACE_FILE_H

#include "trace/format/block.h"

struct trace_file;

/*
 * Opens a file, which is truncated, or for "|cmd" or "!cmd" a pipe to a shell command that reads
 * the trace. Returns NULL after a message on failure.
 */
struct trace_file *trace_file_open(const char *path);
/*
 * Queues a block for writing and takes its body; *body becomes an empty buffer, possibly a recycled
 * one. The first call starts the thread; after it, the process must not fork and continue recording
 * in the child.
 */
void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body);
/* Returns 0, or -errno of the first failed write, which was reported by a message. */
int trace_file_error(const struct trace_file *f);
/*
 * Waits until everything is written, including the index at the end, closes the file, and waits for
 * the command to end. Sets *bytes to the number of bytes written, unless it is NULL. Returns the
 * result of trace_file_error(). f may be NULL.
 */
int trace_file_close(struct trace_file *f, uint64_t *bytes);

#endif
