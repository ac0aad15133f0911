/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface for opening tracees' files: mapped files, and files given by path.
 * capture/proc/files.h implements it for live processes, and trace/play/player_stacks.h for
 * recorded processes. An implementation embeds struct file_source.
 *
 * A function that opens a file returns a descriptor of a regular file, open for reading. The caller
 * closes the descriptor. On failure the function returns -1 and sets errno. ETIMEDOUT means that a
 * process implements the file system (FUSE) and did not answer in time. The descriptor may refer to
 * a copy of the file; the copy has no name (st_nlink is 0). Process ids are those in tracer's pid
 * namespace.
 */
#ifndef TRACER_STACK_FILES_FILE_SOURCE_H
#define TRACER_STACK_FILES_FILE_SOURCE_H

#include <sys/types.h>

#include "defs.h"

struct file_source;
struct mapping;

struct file_source_ops {
	/*
	 * Opens the file that thread tid has mapped at m, even if the file was deleted or replaced.
	 */
	int (*open_mapped)(struct file_source *s, pid_t tid, const struct mapping *m);
	/*
	 * Opens the file at the absolute path `path` in the root of process pid, or in tracer's
	 * root if pid is 0. Symbolic links cannot lead out of the root. If owned is true, the file
	 * must belong to the process's user or to root.
	 */
	int (*open_path)(struct file_source *s, pid_t pid, const char *path, bool owned);
	/*
	 * Stores the path of an open file in buf, without a terminating NUL. Returns the number of
	 * bytes stored. On failure, returns -1 and sets errno: ENAMETOOLONG if the path is not
	 * shorter than `size`.
	 */
	ssize_t (*path_of)(struct file_source *s, int fd, char *buf, size_t size);
	/*
	 * Returns the id that a process or thread has in its own pid namespace. Returns `pid`
	 * itself if that id is unknown.
	 */
	pid_t (*inner_pid)(struct file_source *s, pid_t pid);
};

struct file_source {
	const struct file_source_ops *ops;
	bool nameless; /* true if files from open_path() may have no name even though they have not
			  been deleted */
	bool late; /* true if files are opened some time after the traced event, so they may have
		      changed */
};

/* Calls the open_path() operation of s, or returns -1 if s is NULL. */
static inline int file_source_open(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	return s ? s->ops->open_path(s, pid, path, owned) : -1;
}

#endif
