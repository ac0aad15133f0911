/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Accesses files in file systems that a process provides (FUSE, fuse(4)). Each access can block
 * until that process answers. If tracer traces that process, the process may be waiting for tracer
 * at this moment, so both would wait forever. Therefore a helper thread opens these files and
 * copies them to memory. If an access takes too long, the thread is abandoned: it keeps waiting,
 * and tracer continues without the result.
 */
#ifndef TRACER_CAPTURE_PROC_LATE_FILE_H
#define TRACER_CAPTURE_PROC_LATE_FILE_H

#include "defs.h"
#include "util/allowance.h"

/*
 * The maximum number of abandoned threads at a time. If this number is reached, all requests fail
 * immediately with ETIMEDOUT.
 */
#define LATE_FILES_MAX 4

struct late_files {
	struct allowance allowance;
	/* tracer's ends of the sockets to abandoned threads; -1 if unused */
	int abandoned[LATE_FILES_MAX];
};

/*
 * late_files_init() starts no thread; each request starts its own. late_files_deinit() does not end
 * abandoned threads.
 */
void late_files_init(struct late_files *l);
void late_files_deinit(struct late_files *l);

/*
 * Opens a path in the same way as open_in_root() in capture/proc/openat2.h. `flags` must contain
 * O_PATH. If the open takes longer than 0.3 s, returns -1 with ETIMEDOUT. All waits together share
 * a time budget (util/allowance.h).
 */
int late_file_find(struct late_files *l, int dir, const char *path, uint64_t flags);
/*
 * Copies the regular file that an O_PATH descriptor refers to. The descriptor stays open. Returns a
 * descriptor of the copy with an unspecified offset, or -1 with errno set: ETIMEDOUT as in
 * late_file_find(), EFBIG if the file is larger than 64 MiB.
 */
int late_file_copy(struct late_files *l, int file);

#endif
