/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace file. A separate thread compresses and writes the blocks. The recorder waits only
 * if that thread falls far behind.
 */
#ifndef TRACER_TRACE_RECORD_TRACE_FILE_H
#define TRACER_TRACE_RECORD_TRACE_FILE_H

#include "trace/format/block.h"

struct trace_file;

/*
 * Opens a file and truncates it. If path is "|COMMAND" or "!COMMAND", starts a shell command that
 * reads the trace from a pipe. On failure, prints a message, sets errno and returns NULL.
 */
struct trace_file *trace_file_open(const char *path);
/*
 * Queues a block for writing. Takes ownership of the contents of *body. *body becomes an empty
 * buffer, which may reuse the memory of an earlier block. The first call starts the writer thread.
 * After that, a forked child cannot continue the recording.
 */
void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body);
/*
 * Returns 0, or -errno of the first write that failed. A message about the failure has been
 * printed.
 */
int trace_file_error(const struct trace_file *f);
/*
 * Writes the remaining data and the index, closes the file, and waits for the command to end. Sets
 * *bytes to the size of the file unless bytes is NULL. Returns 0, or -errno of the first write that
 * failed or of a failed close(2). f may be NULL.
 */
int trace_file_close(struct trace_file *f, uint64_t *bytes);

#endif
