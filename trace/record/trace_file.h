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
 * trace from a pipe. On failure, prints a message and returns NULL.
 */
struct trace_file *trace_file_open(const char *path);
/*
 * Queues a block for writing and takes over its body. *body becomes an empty buffer, possibly a
 * recycled one. The first call starts the thread. After that, a forked child cannot continue the
 * recording.
 */
void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body);
/* Returns 0, or -errno of the first failed write, for which a message was printed. */
int trace_file_error(const struct trace_file *f);
/*
 * Writes the remaining data and the index, closes the file, and waits for the command to end.
 * Unless bytes is NULL, sets *bytes to the size of the file. Returns the result of
 * trace_file_error(). f may be NULL.
 */
int trace_file_close(struct trace_file *f, uint64_t *bytes);

#endif
