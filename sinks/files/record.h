/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files of --files: what the run did with each of them. */
#ifndef TRACER_SINKS_FILES_RECORD_H
#define TRACER_SINKS_FILES_RECORD_H

#include "event/event.h"
#include "sinks/fds/fd_places.h"
#include "util/table.h"
#include "util/vec.h"

struct unwinder;

enum file_use {
	FILE_READ = 1 << 0,
	FILE_WRITTEN = 1 << 1,
	FILE_CREATED = 1 << 2,
	FILE_RENAMED = 1 << 3,
	FILE_DELETED = 1 << 4,
	FILE_MISSING = 1 << 5 /* a call did not find the file */
};

struct file {
	pid_t pid; /* 0 if the files of all processes are listed together */
	char comm[16];
	char *path;
	unsigned uses; /* bits of enum file_use */
	bool gone; /* true if the file was deleted or renamed since it was last created or opened */
	uint64_t read, written; /* numbers of bytes */
	/*
	 * renamed_to is the new path if this file was renamed, otherwise NULL. renamed_from is the
	 * old path if another file was renamed to this path, otherwise NULL.
	 */
	char *renamed_to, *renamed_from;
	struct place first; /* the first use */
};

/* The files; initially {0}. `places` must be set before the first event. */
struct files {
	bool by_process;
	struct places *places;
	VEC(struct file) v;
	struct table by_path;
	uint64_t unlisted; /* number of uses of files that are not in the list because it is full */
};

/*
 * Adds the files that a completed call uses. `u` names the frames of the call's stack, and may be
 * NULL.
 */
void files_add(struct files *f, struct unwinder *u, const struct syscall_event *e);
/* Returns true if the path is /dev, /proc or /sys, or is below one of them. */
bool file_is_device(const char *path);
/*
 * Returns the file with this path of `len` bytes, or NULL. If by_process is not set, `pid` must be
 * 0. Must not be called after the files were sorted. Valid until the next call of files_add().
 */
struct file *files_find(const struct files *f, pid_t pid, const char *path, size_t len);
void files_deinit(struct files *f);

#endif
