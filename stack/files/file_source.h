/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the files come from that processes have mapped or name: live, through /proc
 * (capture/proc/files.h), or from a directory and build ids. Whoever provides them embeds a
 * struct file_source.
 *
 * Each descriptor is of a regular file, open for reading, and the caller's; -1 with errno says
 * that there is none. Processes are named by ids in the tracer's pid namespace.
 */
#ifndef TRACER_STACK_FILE_SOURCE_H
#define TRACER_STACK_FILE_SOURCE_H

#include <sys/types.h>

#include "defs.h"

struct file_source;
struct mapping;

struct file_source_ops {
	/* The very file that thread tid has mapped at m; EMFILE, ENFILE: out of descriptors. */
	int (*open_mapped)(struct file_source *s, pid_t tid, const struct mapping *m);
	/*
	 * The file at path, absolute, as process pid sees it: symbolic links do not lead out of
	 * its root. owned: only one of the process's own user, or of root. pid 0 is the tracer
	 * itself, which may use any path.
	 */
	int (*open_path)(struct file_source *s, pid_t pid, const char *path, bool owned);
	/* Where an open file is, as readlink(2) says it; -1: not known. */
	ssize_t (*path_of)(struct file_source *s, int fd, char *buf, size_t size);
	/* The process's id in its own pid namespace; pid itself where that cannot be told. */
	pid_t (*inner_pid)(struct file_source *s, pid_t pid);
};

struct file_source {
	const struct file_source_ops *ops;
};

/* With no source there are no files. */
static inline int file_source_open(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	return s ? s->ops->open_path(s, pid, path, owned) : -1;
}

#endif
