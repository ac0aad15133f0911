/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface to files of tracees: those that they have mapped and those that a path names. The
 * implementation for live processes is capture/proc/files.h; a reader of records can have another.
 * Implementations embed struct file_source.
 *
 * Each function that opens a file returns a descriptor of a regular file, open for reading, which
 * the caller closes, or -1 with errno set: ETIMEDOUT if its file system is a process that was late.
 * The file may be a copy of what was there, which has no name (st_nlink is 0). Process ids are
 * those of the tracer's pid namespace.
 */
#ifndef TRACER_STACK_FILES_FILE_SOURCE_H
#define TRACER_STACK_FILES_FILE_SOURCE_H

#include <sys/types.h>

#include "defs.h"

struct file_source;
struct mapping;

struct file_source_ops {
	/* Opens the file that thread tid has mapped at m, even if it was deleted or replaced. */
	int (*open_mapped)(struct file_source *s, pid_t tid, const struct mapping *m);
	/*
	 * Opens the file at an absolute path as process pid sees it: symbolic links cannot lead
	 * out of its root. With owned the file must belong to the process's user or to root. pid 0
	 * stands for the tracer itself.
	 */
	int (*open_path)(struct file_source *s, pid_t pid, const char *path, bool owned);
	/* Puts the path of an open file into buf, without a NUL. Returns its length, or -1. */
	ssize_t (*path_of)(struct file_source *s, int fd, char *buf, size_t size);
	/* The id of a process or thread in its own pid namespace, or pid itself if that is unknown.
	 */
	pid_t (*inner_pid)(struct file_source *s, pid_t pid);
};

struct file_source {
	const struct file_source_ops *ops;
	bool nameless; /* files of open_path() may have no name although they were not deleted */
	bool late;     /* files are opened some time after the moment that they are needed for */
};

/* Calls open_path of s, or returns -1 if s is NULL. */
static inline int file_source_open(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	return s ? s->ops->open_path(s, pid, path, owned) : -1;
}

#endif
