/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens files that processes have mapped. If the process is already gone, its files are opened by
 * their paths. A file is used only if its inode is the inode of the mapping.
 */
#ifndef TRACER_CAPTURE_BPF_FILES_H
#define TRACER_CAPTURE_BPF_FILES_H

#include "stack/files/file_source.h"

struct threads;

struct stream_files {
	struct file_source source; /* the interface for code that opens files */
	struct file_source *live;  /* opens the files of running processes; borrowed */
	const struct threads *threads;
};

void stream_files_init(struct stream_files *f, struct file_source *live,
		       const struct threads *threads);

#endif
