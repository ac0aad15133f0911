/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of processes that may already be gone: if a process cannot be asked, the file is searched
 * by its path and must have the right inode.
 */
#ifndef TRACER_CAPTURE_BPF_FILES_H
#define TRACER_CAPTURE_BPF_FILES_H

#include "stack/files/file_source.h"

struct threads;

struct stream_files {
	struct file_source source; /* the source to give to file openers */
	struct file_source *live;  /* borrowed */
	const struct threads *threads;
};

void stream_files_init(struct stream_files *f, struct file_source *live,
		       const struct threads *threads);

#endif
