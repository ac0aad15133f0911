/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of which every single access may wait for a process, because a process is the file system
 * (FUSE, fuse(4)): one that is traced waits for the tracer in turn, and nothing but an answer ends
 * that. So a thread finds them and copies them to memory, and is left to itself if that takes too
 * long.
 */
#ifndef TRACER_CAPTURE_PROC_LATE_FILE_H
#define TRACER_CAPTURE_PROC_LATE_FILE_H

#include "defs.h"
#include "util/allowance.h"

/* How many threads may be left to themselves at a time; with more of them, everything is late. */
#define LATE_FILES_MAX 4

struct late_files {
	struct allowance allowance;
	int left[LATE_FILES_MAX]; /* sockets whose other ends such threads have; -1: none */
};

/* Begin and end. Nothing is started before a file is asked for. What is left to itself stays so. */
void late_files_init(struct late_files *l);
void late_files_deinit(struct late_files *l);

/*
 * As open_in_root() of capture/proc/openat2.h; flags have O_PATH. Returns -1 with ETIMEDOUT if it
 * took longer than 0.3 s. All together may take a second, and then a tenth of all time.
 */
int late_file_find(struct late_files *l, int dir, const char *path, uint64_t flags);
/*
 * Copies the regular file of an O_PATH descriptor, which stays the caller's. Returns a descriptor
 * of the copy, whose offset means nothing, or -1 with errno: ETIMEDOUT as above, EFBIG if it is
 * larger than 64 MiB.
 */
int late_file_copy(struct late_files *l, int file);

#endif
