/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct file_source that opens the files of live processes through map_files,
 * exe and root of /proc/PID, see proc(5).
 */
#ifndef TRACER_CAPTURE_PROC_FILES_H
#define TRACER_CAPTURE_PROC_FILES_H

#include "stack/files/file_source.h"

struct procfs;

/*
 * procfs is borrowed; NULL means that /proc shows our own pid namespace. Paths of pid 0 are opened
 * with the folder root, which is borrowed, as their root, and do not lead out of it; NULL means our
 * own root. The caller releases the result by proc_files_destroy().
 */
struct file_source *proc_files_create(const struct procfs *procfs, const char *root);
void proc_files_destroy(struct file_source *s); /* NULL is fine */

#endif
