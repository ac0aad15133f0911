/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffered output of a sink to stderr, stdout, a file or a command. The first error is reported by
 * a message that names the file. After that, output is dropped, and all calls return this error.
 * outputs_config.lines selects another behaviour.
 */
#ifndef TRACER_SINKS_OUTPUT_H
#define TRACER_SINKS_OUTPUT_H

#include "sinks/log_limits.h"
#include "util/strbuf.h"

struct output;

/*
 * Opens an output. A path of NULL means stderr, "-" means stdout, and "|cmd" or "!cmd" starts a
 * shell command that reads the output. If `append`, an existing file is not truncated. Returns NULL
 * after a message on failure. The caller closes the output with output_close().
 */
struct output *output_open(const char *path, bool append);

/*
 * Returns the buffer, which belongs to o. The caller appends to it and then calls output_commit().
 */
struct strbuf *output_buf(struct output *o);
/*
 * Ends an append. If somebody may be watching the output, all of the buffer is written at once,
 * even in the middle of a line, so that output of the tracee and messages appear where they
 * happened, as with strace. This applies to pipes, terminals, stderr unless it is /dev/null, and
 * files that the tracee also writes to. Otherwise, the buffer is written once it is large, and only
 * whole lines are written, so that the file ends with a whole line even if tracer is killed. An
 * incomplete line, such as a call that has not returned, is held back for at most a second.
 */
void output_commit(struct output *o);
/* Writes the whole buffer. Returns 0, or -errno of the first write to this output that failed. */
int output_flush(struct output *o);
/*
 * Writes the buffer, closes the output, waits for the command to end, and frees o. Returns the same
 * as output_flush(). o may be NULL.
 */
int output_close(struct output *o);

/*
 * The outputs of a run: one that all threads share or, with `separately`, a file PATH.TID for each
 * thread. If too many of these files are open for the limit on descriptors, the one that was not
 * written to for the longest time is closed. It is opened again when there is something to write.
 * If PATH.TID cannot safely be used as a log (util/log_file.h), a new file PATH.TID.1, PATH.TID.2
 * and so on is used, and a message reports that.
 */
struct outputs;

struct outputs_config {
	const char *path; /* as for output_open(); copied, like the rest of this struct */
	bool append, separately, lines;
	struct log_limits limits; /* only for the log that all threads share */
};

/*
 * Creates the outputs of a run. With `lines`, a message reports each line that cannot be written
 * (except to stderr), but this does not count as an error: the run continues, as with strace. With
 * limits.last, nothing is written until outputs_write_kept() is called or the output is closed.
 * With limits.bytes, a full file is renamed to PATH.1, the previous PATH.1 to PATH.2, and so on, up
 * to limits.files. Both limits count events, which consist of one or more lines
 * (sinks/events_kept.h). Returns NULL after a message if the shared output cannot be opened. The
 * caller closes the set with outputs_close().
 */
struct outputs *outputs_create(const struct outputs_config *config);
/*
 * Returns the output of a thread. If `again`, the thread had an output before, and the new one
 * appends to it. Returns NULL after a message if the file cannot be opened; outputs_flush() returns
 * this error later.
 */
struct output *outputs_get(struct outputs *set, pid_t tid, bool again);
/*
 * Whether nobody watches the shared output, so that output_commit() may delay writes. Returns false
 * if each thread has its own output.
 */
bool outputs_unwatched(const struct outputs *set);
/*
 * Calls output_commit() for an output of the set. Outputs of a set must be committed with this
 * function, so that outputs_flush() finds them.
 */
void outputs_commit(struct outputs *set, struct output *o);
/* Closes the output of one thread. Does nothing to the shared output. */
void outputs_put(struct outputs *set, struct output *o);
/*
 * With limits.last: writes the kept events and drops them; later events are kept again. Sets *seen
 * to the number of events since the start. Returns how many events were written.
 */
size_t outputs_write_kept(struct outputs *set, uint64_t *seen);
/*
 * Writes the buffers of all outputs, except for incomplete lines that are held back (see
 * output_commit()). Returns 0, 1 if a line was held back, or -errno of the first write that ever
 * failed.
 */
int outputs_flush(struct outputs *set);
/*
 * Flushes and closes the shared output and frees the set. outputs_put() must have been called for
 * the outputs of all threads. Returns the same as outputs_flush().
 */
int outputs_close(struct outputs *set);

#endif
