/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a thread as a record has it and, where that has nothing, code: out of the file that
 * is mapped there, which is what was there then. The vdso is the same in all 64-bit processes. Code
 * that is in no file is read from the process as it is now (code_cache.h).
 */
#ifndef TRACER_CAPTURE_BPF_IMAGE_H
#define TRACER_CAPTURE_BPF_IMAGE_H

#include "capture/bpf/code_cache.h"
#include "capture/memory.h"
#include "stack/files/map_table.h"

struct chunks;
struct file_source;
struct late_reader;
struct map_source;
struct spaces;

struct image {
	struct memory memory; /* the memory to give to unwinders */
	pid_t tid;	      /* the thread; to be set for each record */
	struct chunks *known; /* all borrowed */
	struct spaces *spaces;
	struct file_source *files;
	struct code_cache live_code;
	/* The last file that was read: an open descriptor, or -1. */
	int fd;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	/* Our own vdso, and the bytes of the vdso of 32-bit processes; NULL if unknown. */
	struct map_range vdso;
	uint8_t *narrow;
	size_t narrow_size;
	bool narrow_asked;
};

/* live is used only by this call, to find our own mappings. */
void image_init(struct image *i, struct chunks *known, struct spaces *spaces,
		struct file_source *files, struct map_source *live, struct late_reader *late);
void image_deinit(struct image *i);

#endif
