/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a sink's bytes go: stderr, a file or a command. Buffered; an error is
 * reported once, by one message that names the culprit, and kept: what comes
 * after it is dropped, and every later call says so.
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
/* What was appended may be written now: stderr is, files once there is enough of it. */
void output_commit(struct output *o);
/* Writes all that is buffered. 0, or -errno of the first write that failed. */
int output_flush(struct output *o);
/* The same; then closes, and waits for the command to end. Frees o, NULL is fine. */
int output_close(struct output *o);
bool output_is_stderr(const struct output *o);

#endif
