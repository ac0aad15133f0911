/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Provides the memory that a thread had at the time of a record. Data comes from the record. During
 * a stack walk, data that is missing there comes from the live thread if it still sleeps in the
 * same call (sleeper.h). Code comes from the mapped file, or from tracer's own vdso, which is the
 * same in all 64-bit processes. Code without a file is read from the live process (code_cache.h)
 * and may have changed since the record was written.
 */
#ifndef TRACER_CAPTURE_BPF_IMAGE_H
#define TRACER_CAPTURE_BPF_IMAGE_H

#include "capture/bpf/code_cache.h"
#include "capture/bpf/sleeper.h"
#include "capture/memory.h"
#include "stack/files/map_table.h"

struct chunks;
struct file_source;
struct late_reader;
struct map_source;
struct spaces;

struct image {
	struct memory memory; /* the interface that unwinders use */
	pid_t tid;	      /* the thread; must be set for each record */
	struct chunks *known; /* borrowed, like `spaces` and `files` */
	struct spaces *spaces;
	struct file_source *files;
	struct code_cache live_code;
	struct sleeper sleeper; /* must be set for each record */
	/*
	 * The inode and the descriptor of the most recently read file. The descriptor is -1 if no
	 * file is open.
	 */
	int fd;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	/*
	 * The address range of tracer's own vdso, and the contents of the 32-bit vdso, or NULL if
	 * unknown.
	 */
	struct map_range vdso;
	uint8_t *compat;
	size_t compat_size;
	bool compat_read;
};

/* Prepares *i. `live` is used only during this call, to find tracer's own vdso. */
void image_init(struct image *i, struct chunks *known, struct spaces *spaces,
		struct file_source *files, struct map_source *live, struct late_reader *late);
void image_deinit(struct image *i);

#endif
