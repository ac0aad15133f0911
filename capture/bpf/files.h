/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of processes that may be gone when they are asked for: what a process cannot be asked is
 * looked for by its path, and must be the file with that inode.
 */
#ifndef TRACER_CAPTURE_BPF_FILES_H
#define TRACER_CAPTURE_BPF_FILES_H

#include "stack/files/file_source.h"

struct threads;

struct stream_files {
	struct file_source source; /* pass this one to who opens files */
	struct file_source *live;  /* borrowed */
	const struct threads *threads;
};

void stream_files_init(struct stream_files *f, struct file_source *live,
		       const struct threads *threads);

#endif
