/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/files.h"

#include <fcntl.h>
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/proc/lookup.h"
#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "capture/proc/tasks.h"
#include "stack/files/map_table.h"
#include "util/mem.h"

struct proc_files {
	struct file_source source;
	const struct procfs *procfs;
	struct lookup lookup;
};

/* Returns the id in /proc of the thread that has the id pid in our pid namespace. */
static int pid_of(const struct file_source *s, pid_t pid)
{
	return procfs_pid(((const struct proc_files *)s)->procfs, pid);
}

/* Returns true if the file of a descriptor belongs to root or to the user of a process. */
static bool has_trusted_owner(const struct proc_files *files, pid_t pid, int fd)
{
	struct file_stat st;
	uid_t owner;

	return mounts_stat(fd, &st) &&
	       (!st.uid || (proc_owner(files->procfs, pid, &owner) && owner == st.uid));
}

/* Returns fd if it refers to the file with inode `ino`. Otherwise closes fd and returns -1. */
static int check_inode(int fd, uint64_t ino)
{
	struct file_stat st;

	if (fd < 0 || (mounts_stat(fd, &st) && st.ino == ino))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

static int proc_open_path(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	struct proc_files *files = (struct proc_files *)s;
	int fd = lookup_find(&files->lookup, pid, path, 0);

	if (fd >= 0 && owned && !has_trusted_owner(files, pid, fd)) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return lookup_open(&files->lookup, pid, fd);
}

/*
 * Returns true if `path` is a symbolic link to `name`. Reads only the link, because accessing the
 * file may block.
 */
static bool is_link_to(const char *path, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	return n > 0 && name && !strncmp(target, name, (size_t)n) && !name[n];
}

static int proc_open_mapped(struct file_source *s, pid_t tid, const struct mapping *m)
{
	struct proc_files *files = (struct proc_files *)s;
	int fd, task = pid_of(s, tid);
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, task, m->start,
		 m->end);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		return lookup_open(&files->lookup, tid, fd);
	/*
	 * Opening the file in map_files is not permitted, or the mapping was split after *m was
	 * filled in. Find the file by its name instead.
	 */
	snprintf(path, sizeof(path), "/proc/%d/exe", task);
	if (is_link_to(path, m->name))
		fd = check_inode(open(path, O_PATH | O_CLOEXEC), m->inode);
	if (fd < 0 && m->name && *m->name == '/')
		fd = check_inode(lookup_find(&files->lookup, tid, m->name, 0), m->inode);
	return lookup_open(&files->lookup, tid, fd);
}

static ssize_t proc_path_of(struct file_source *s attr_unused, int fd, char *buf, size_t size)
{
	char path[32];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, buf, size);
	if (n < (ssize_t)size)
		return n;
	errno = ENAMETOOLONG;
	return -1;
}

static pid_t proc_inner_pid(struct file_source *s, pid_t pid)
{
	char text[1024], *p = text, *end;
	pid_t inner = pid;

	if (!proc_field(text, sizeof(text), "NSpid", "/proc/%d/status", pid_of(s, pid)))
		return pid;
	/*
	 * The field contains the thread's id in each of its pid namespaces. The last id is the one
	 * in the innermost namespace.
	 */
	for (;; p = end) {
		long v = strtol(p, &end, 10);

		if (end == p)
			break;
		inner = v;
	}
	return inner;
}

static const struct file_source_ops ops = {
	.open_mapped = proc_open_mapped,
	.open_path = proc_open_path,
	.path_of = proc_path_of,
	.inner_pid = proc_inner_pid,
};

struct file_source *proc_files_create(const struct procfs *procfs, const char *root)
{
	struct proc_files *p = mem_zalloc(sizeof(*p));

	p->source.ops = &ops;
	p->procfs = procfs;
	lookup_init(&p->lookup, procfs, root);
	return &p->source;
}

void proc_files_destroy(struct file_source *s)
{
	if (s)
		lookup_deinit(&((struct proc_files *)s)->lookup);
	free(s);
}
