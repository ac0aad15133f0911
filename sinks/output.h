/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a sink's bytes go: stderr, a file or a command. Buffered; an error is
 * reported once, by one message that names the culprit, and kept: what comes
 * after it is dropped, and every later call says so. A log that is written by
 * the line is another matter, see outputs_create().
 */
#ifndef TRACER_SINKS_OUTPUT_H
#define TRACER_SINKS_OUTPUT_H

#include "util/strbuf.h"

struct output;

/*
 * path NULL is stderr, "|cmd" and "!cmd" start a shell command that reads what
 * is written. NULL when that fails (one message was given).
 */
struct output *output_open(const char *path, bool append);

/* What is to be written; append to it, then call output_commit(). */
struct strbuf *output_buf(struct output *o);
/*
 * What was appended may be written now: it is where someone may be watching (stderr, pipes,
 * terminals, a file that is the tracee's output, too), else once there is enough of it.
 */
void output_commit(struct output *o);
/* Writes all that is buffered. 0, or -errno of the first write that failed. */
int output_flush(struct output *o);
/* The same; then closes, and waits for the command to end. Frees o, NULL is fine. */
int output_close(struct output *o);

/*
 * The outputs of a run: one that all threads share, or with separately one file
 * PATH.TID a thread.
 */
struct outputs;

/*
 * NULL when the shared output cannot be opened (one message was given). path is copied.
 * With lines, each line that cannot be written is reported, except on stderr, and is no
 * error: the run goes on, as that of strace does.
 */
struct outputs *outputs_create(const char *path, bool append, bool separately, bool lines);
/*
 * The output of a thread; again: it had one before, which goes on. NULL when its file cannot be
 * opened: one message was given, and outputs_flush() returns the error from then on.
 */
struct output *outputs_get(struct outputs *set, pid_t tid, bool again);
/* output_commit(), and outputs_flush() will know of it. */
void outputs_commit(struct outputs *set, struct output *o);
/* A thread is gone: closes its own output. */
void outputs_put(struct outputs *set, struct output *o);
/* All that is buffered, of all outputs. 0, or -errno of the first failure ever. */
int outputs_flush(struct outputs *set);
/* Flushes, closes, frees; the outputs of threads must have been put. The same result. */
int outputs_close(struct outputs *set);

#endif
