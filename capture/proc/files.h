/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct file_source that opens the files of live processes through
 * /proc/PID/map_files, exe and root, see proc(5).
 */
#ifndef TRACER_CAPTURE_PROC_FILES_H
#define TRACER_CAPTURE_PROC_FILES_H

#include "stack/files/file_source.h"

struct procfs;

/*
 * Creates the source. `procfs` is borrowed; NULL means that /proc shows our own pid namespace. For
 * pid 0, paths are opened inside the directory `root`, and cannot lead out of this directory. If
 * `root` is NULL, these paths are opened in our own root directory. `root` is borrowed. The caller
 * frees the result with proc_files_destroy().
 */
struct file_source *proc_files_create(const struct procfs *procfs, const char *root);
void proc_files_destroy(struct file_source *s); /* s may be NULL */

#endif
