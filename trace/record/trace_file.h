/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace file that is being written. A separate thread compresses and writes the blocks. The
 * recorder waits only if the thread falls far behind.
 */
#ifndef TRACER_TRACE_RECORD_TRACE_FILE_H
#define TRACER_TRACE_RECORD_TRACE_FILE_H

#include "trace/format/block.h"

struct trace_file;

/*
 * Opens a file, which is truncated. For "|cmd" or "!cmd", starts a shell command that reads the
 * trace from a pipe. Returns NULL after a message on failure.
 */
struct trace_file *trace_file_open(const char *path);
/*
 * Queues a block for writing and takes its body. *body becomes an empty buffer, possibly a recycled
 * one. The first call starts the thread, after which a forked child cannot continue recording.
 */
void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body);
/* Returns 0, or -errno of the first failed write, about which a message was printed. */
int trace_file_error(const struct trace_file *f);
/*
 * Writes everything that is left, including the index, closes the file, and waits for the command
 * to end. Sets *bytes to the size of the file unless bytes is NULL. Returns the result of
 * trace_file_error(). f may be NULL.
 */
int trace_file_close(struct trace_file *f, uint64_t *bytes);

#endif
