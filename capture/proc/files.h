/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of live processes, opened through /proc/PID: map_files, exe, root; see proc(5). */
#ifndef TRACER_CAPTURE_PROC_FILES_H
#define TRACER_CAPTURE_PROC_FILES_H

#include "stack/files/file_source.h"

/* It has no state: one serves all, and nobody frees it. */
struct file_source *proc_files(void);

#endif
