/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffered output of a sink to stderr, stdout, a file or a command. The first error is reported by
 * one message that names the file. It is kept: later output is dropped, and later calls return the
 * error again. Logs for which outputs_create() was given lines behave differently, see there.
 */
#ifndef TRACER_SINKS_OUTPUT_H
#define TRACER_SINKS_OUTPUT_H

#include "sinks/log_limits.h"
#include "util/strbuf.h"

struct output;

/*
 * Opens an output. path NULL is stderr, "-" is stdout; "|cmd" and "!cmd" start a shell command that
 * reads what is written. append: a file is not truncated. Returns NULL after a message if that
 * fails. The caller closes the output by output_close().
 */
struct output *output_open(const char *path, bool append);

/* The buffer, to which the caller appends before it calls output_commit(). Owned by o. */
struct strbuf *output_buf(struct output *o);
/*
 * Ends an append. The buffer is written at once, to the last byte, if somebody may be watching
 * (stderr unless it is /dev/null, pipes, terminals, a file that the tracee writes to as well): what
 * the tracee and messages print there then stands where it happened, in the middle of a line as
 * well, as with strace. Otherwise it is written once it is large: then only whole lines are
 * written, so that the file ends at a line even if we are killed. The beginning of a line, a call
 * that has not returned, waits for its end for a second before it is written.
 */
void output_commit(struct output *o);
/* Writes all of the buffer. Returns 0, or -errno of the first write that ever failed. */
int output_flush(struct output *o);
/*
 * Writes the buffer, closes the output, waits for the command to end, and frees o. The result is
 * that of output_flush(). NULL is fine.
 */
int output_close(struct output *o);

/*
 * The outputs of a run: one that all threads share or, with separately, a file PATH.TID for each
 * thread. Of the latter not more are open than descriptors allow: what was not written to for long
 * is closed, and opened again when there is something to write. Where PATH.TID is no place for a
 * log (util/log_file.h), the file is PATH.TID.1, or .2 and so on: a new file, and a message says
 * so.
 */
struct outputs;

struct outputs_config {
	const char *path; /* as that of output_open(); it is copied, as all of this is */
	bool append, separately, lines;
	struct log_limits limits; /* of the log that all threads share */
};

/*
 * With lines, a message reports each
 * line that cannot be written (except to stderr), and this is no error: the run goes on, as
 * strace's does. With limits.last nothing is written before outputs_write_kept(), or the end; with
 * limits.bytes a file that is full becomes PATH.1, and that one PATH.2, as far as limits.files
 * allows. Both take each event to be a line and those that sinks/events_kept.h counts to it.
 * Returns NULL after a message if the shared output cannot be opened. The caller closes the set by
 * outputs_close().
 */
struct outputs *outputs_create(const struct outputs_config *config);
/*
 * The output of a thread. again: the thread had one before, to which the new one appends. Returns
 * NULL after a message if its file cannot be opened; outputs_flush() returns this error later.
 */
struct output *outputs_get(struct outputs *set, pid_t tid, bool again);
/*
 * Whether the output that all threads share is written when it suits us, as output_commit() says,
 * for nobody watches it. False if each thread has its own.
 */
bool outputs_unwatched(const struct outputs *set);
/* Calls output_commit(); use this one for the outputs of a set, so that outputs_flush() finds them.
 */
void outputs_commit(struct outputs *set, struct output *o);
/* Closes a thread's own output; the shared one stays open. */
void outputs_put(struct outputs *set, struct output *o);
/*
 * With limits.last: writes the events that are kept, and keeps others from then on. *seen is the
 * number of events since the beginning. Returns how many were written now.
 */
size_t outputs_write_kept(struct outputs *set, uint64_t *seen);
/*
 * Writes the buffers of all outputs, but for beginnings of lines that wait for their ends: see
 * output_commit(). Returns 0, or 1 if there are such, or -errno of the first failure ever.
 */
int outputs_flush(struct outputs *set);
/*
 * Flushes and closes the shared output and frees the set. The outputs of all threads must have been
 * put. The result is that of outputs_flush().
 */
int outputs_close(struct outputs *set);

#endif
