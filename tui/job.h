/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A child of --tui: another tracer that reads the trace and writes lines to a pipe. The child
 * blocks when the pipe is full, so it never reads far beyond the rows on the screen.
 */
#ifndef TRACER_TUI_JOB_H
#define TRACER_TUI_JOB_H

#include <sys/types.h>

#include "util/strbuf.h"

/* A child process. Initialize it with {0}, which means that no process is running. */
struct job {
	pid_t pid;    /* 0 if the job is not running */
	int fd;	      /* the end of the pipe from which to read; non-blocking */
	int messages; /* the file that contains the job's messages */
	/*
	 * After the end: the exit status; -1 if a signal ended the job; 127 if the job could not be
	 * started.
	 */
	int status;
	int error;	      /* errno if the job could not be started, otherwise 0 */
	struct strbuf buffer; /* output that has been read */
	size_t used;	      /* number of bytes of `buffer` that job_line() has returned */
	bool ended;	      /* true if the job's output has been read to its end */
};

/*
 * Starts tracer with these arguments, which end with NULL. argv[0] does not select the program.
 * `input` is the standard input of the job, or -1 for /dev/null. Ends an earlier run of the job. If
 * the job cannot be started, it ends at once, and its message contains the reason.
 */
void job_start(struct job *j, char **argv, int input);
/* Reads output without waiting. Returns false if there is no more output for now. */
bool job_read(struct job *j);
/*
 * Returns the next line that was read, without the newline, and sets *n to its length. Returns NULL
 * if no complete line is left. The line is valid until the next call for this job.
 */
const char *job_line(struct job *j, size_t *n);
/* Returns true if job_line() would return a line. */
bool job_has_line(const struct job *j);
/* Returns true if the job has ended and all its lines were returned. */
bool job_done(const struct job *j);
/*
 * Must be called after the job has ended. Appends its first message to b, without the program's
 * name and the newline. Appends nothing if there is no message.
 */
void job_message(struct job *j, struct strbuf *b);
/* Kills the job if it is running, and releases its resources. */
void job_stop(struct job *j);

#endif
