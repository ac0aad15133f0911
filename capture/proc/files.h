/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of live processes, opened through /proc/PID: map_files, exe, root; see proc(5). */
#ifndef TRACER_CAPTURE_PROC_FILES_H
#define TRACER_CAPTURE_PROC_FILES_H

#include "stack/files/file_source.h"

struct procfs;

/* procfs is borrowed; NULL: /proc is of our pid namespace. */
struct file_source *proc_files_create(const struct procfs *procfs);
void proc_files_destroy(struct file_source *s); /* NULL is fine */

#endif
