/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of which every single access may wait for a process, because a process is the file system
 * (FUSE, fuse(4)): one that is traced waits for the tracer in turn, and nothing but an answer ends
 * that. So a thread copies them to memory, and is left to itself if that takes too long.
 */
#ifndef TRACER_CAPTURE_PROC_LATE_FILE_H
#define TRACER_CAPTURE_PROC_LATE_FILE_H

#include "defs.h"

/* How many threads may be left to themselves; with more of them, everything is late. */
#define LATE_FILES_MAX 4

struct late_files {
	unsigned left; /* threads that were left to themselves so far */
};

/*
 * Opens path, a file below /proc that leads to a regular file, and copies what it has. Returns a
 * descriptor of the copy, whose offset means nothing, or -1: with ETIMEDOUT if it took longer than
 * a second, or the file is too large.
 */
int late_file_open(struct late_files *l, const char *path);

#endif
