/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace file that is written. Blocks are compressed and written by a thread of their own, so that
 * who records neither computes nor waits; only if that thread falls far behind it is waited for.
 */
#ifndef TRACER_TRACE_RECORD_TRACE_FILE_H
#define TRACER_TRACE_RECORD_TRACE_FILE_H

#include "trace/format/block.h"

struct trace_file;

/*
 * Opens a file, which is truncated, or with "|cmd" or "!cmd" a pipe to a shell command that reads
 * the trace. Returns NULL after a message if that fails.
 */
struct trace_file *trace_file_open(const char *path);
/*
 * Has a block written. Its body is taken over; *body gets an empty buffer, which may be an older
 * one. The first call starts the thread: after it, the process must not fork to go on recording.
 */
void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body);
/* 0, or -errno of the first write that failed; a message has told of it. */
int trace_file_error(const struct trace_file *f);
/*
 * Waits until all is written, with the index behind it, closes the file, and waits for the command
 * to end. Puts the number of bytes that were written into *bytes, unless that is NULL. The result
 * is that of trace_file_error(). NULL is fine.
 */
int trace_file_close(struct trace_file *f, uint64_t *bytes);

#endif
