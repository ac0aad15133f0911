/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffered output of a sink to stderr, stdout, a file or a command. After the first error, a
 * message with the name of the file is printed, all further output is dropped, and all calls return
 * this error. With outputs_config.lines, errors are handled differently.
 */
#ifndef TRACER_SINKS_OUTPUT_H
#define TRACER_SINKS_OUTPUT_H

#include "sinks/log_limits.h"
#include "util/strbuf.h"

struct output;

/*
 * Opens an output. If `path` is NULL, the output is stderr. "-" means stdout, and "|cmd" or "!cmd"
 * starts a shell command that reads the output. If `append` is set, an existing file is not
 * truncated. On failure, prints a message and returns NULL. The caller closes the output with
 * output_close().
 */
struct output *output_open(const char *path, bool append);

/* Returns the output's buffer. The caller appends to it and then calls output_commit(). */
struct strbuf *output_buf(struct output *o);
/*
 * Must be called after appending to the buffer.
 *
 * If the output is watched, writes the whole buffer at once, even in the middle of a line. Messages
 * and output of the tracee then appear in the right place, as with strace. These outputs count as
 * watched: pipes, terminals, stderr (unless it is /dev/null), and files that the tracee also writes
 * to.
 *
 * Otherwise, writes the buffer when it is large. Only complete lines are written, so the file ends
 * with a complete line even if tracer is killed. An incomplete line (a call that has not returned)
 * is written after one second.
 */
void output_commit(struct output *o);
/* Writes the whole buffer. Returns 0, or -errno of the first failed write to this output. */
int output_flush(struct output *o);
/*
 * Writes the buffer, closes the output, waits for the command to exit, and frees `o`. Returns 0, or
 * -errno of the first failed write or of close(2). `o` may be NULL.
 */
int output_close(struct output *o);

/*
 * The outputs of a run: a single output that all threads share or, with `separately`, a file
 * PATH.TID for each thread. If the number of open files reaches the limit, the least recently
 * written file is closed, and reopened before the next write to it. If PATH.TID cannot safely be
 * used as a log (util/log_file.h), a message is printed, and a new file PATH.TID.1, PATH.TID.2 and
 * so on is used instead.
 */
struct outputs;

struct outputs_config {
	const char *path; /* where the log goes; see output_open(). All members are copied. */
	bool append, separately, lines;
	struct log_limits limits; /* only for a log that all threads share */
};

/*
 * Creates the outputs of a run. The caller closes them with outputs_close(). If the shared output
 * cannot be opened, prints a message and returns NULL.
 *
 * With `lines`, a message is printed for each line that cannot be written (except to stderr), and
 * the run continues without an error, as with strace.
 *
 * With limits.last, nothing is written until outputs_write_kept() is called or the output is
 * closed. With limits.bytes, a full file is renamed to PATH.1, the previous PATH.1 to PATH.2, and
 * so on, up to limits.files. Both limits apply to whole events, which consist of one or more lines
 * (sinks/events_kept.h).
 */
struct outputs *outputs_create(const struct outputs_config *config);
/*
 * Returns the output of a thread. If `again` is set, appends to the thread's previous output. If
 * the file cannot be opened, prints a message and returns NULL. outputs_flush() then returns -EIO,
 * unless there was an earlier error.
 */
struct output *outputs_get(struct outputs *set, pid_t tid, bool again);
/*
 * Returns true if the shared output is not watched, so that output_commit() may delay writes.
 * Returns false if each thread has its own output.
 */
bool outputs_unwatched(const struct outputs *set);
/*
 * Calls output_commit() for an output in the set. Use this function for all outputs in a set, so
 * that outputs_flush() finds them.
 */
void outputs_commit(struct outputs *set, struct output *o);
/* Closes the output of a thread. Does nothing if the output is shared. */
void outputs_put(struct outputs *set, struct output *o);
/*
 * With limits.last: writes the stored events and drops them. Returns the number of written events.
 * Sets *seen to the number of events since the start. Without limits.last, only returns 0.
 */
size_t outputs_write_kept(struct outputs *set, uint64_t *seen);
/*
 * Writes the buffers of all outputs, except for delayed incomplete lines (see output_commit()) and
 * events stored because of limits.last.
 * Returns 0, 1 if there is a delayed line, or -errno of the first failed write.
 */
int outputs_flush(struct outputs *set);
/*
 * Flushes and closes the shared output and frees the set. outputs_put() must have been called for
 * the outputs of all threads. Returns 0, or -errno of the first failure.
 */
int outputs_close(struct outputs *set);

#endif
