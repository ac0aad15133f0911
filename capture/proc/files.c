/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/files.h"

#include <fcntl.h>
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/proc/late_file.h"
#include "capture/proc/mounts.h"
#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "stack/files/map_table.h"
#include "util/mem.h"

/* openat2(2), Linux 5.6; <linux/openat2.h> may be older than the kernel. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define RESOLVE_IN_THE_ROOT 0x10 /* RESOLVE_IN_ROOT */

struct open_how_2 {
	uint64_t flags, mode, resolve;
};

/*
 * Opens the file of an O_PATH descriptor for reading and closes that descriptor. Returns a
 * descriptor of a regular file, or -1. Other files are not opened, because opening a device or
 * a pipe has effects.
 */
static int regular_file_open(int fd)
{
	char path[32];
	struct stat st;
	int opened = -1;

	if (fd < 0)
		return -1;
	errno = ENXIO;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	close(fd);
	return opened;
}

struct proc_files {
	struct file_source source;
	const struct procfs *procfs;
	struct mounts *mounts;
	struct late_files late;
};

/* The number that /proc has for a thread whose id is pid in our namespace. */
static int pid_of(const struct file_source *s, pid_t pid)
{
	return procfs_pid(((const struct proc_files *)s)->procfs, pid);
}

static bool acceptable(int fd, int pid)
{
	struct stat st, proc;
	char path[32];

	if (fstat(fd, &st) < 0)
		return false;
	if (!st.st_uid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &proc) && proc.st_uid == st.st_uid;
}

static int proc_open_path(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	struct open_how_2 how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_THE_ROOT};
	char root[32];
	int dir, fd, process;

	if (!pid)
		return regular_file_open(open(path, O_PATH | O_CLOEXEC));
	process = pid_of(s, pid);
	snprintf(root, sizeof(root), "/proc/%d/root", process);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && errno == ENOSYS && *path == '/')
		fd = openat(dir, path + 1, how.flags | O_NOFOLLOW);
	close(dir);
	fd = regular_file_open(fd);
	if (fd >= 0 && owned && !acceptable(fd, process)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns fd if it refers to the file with that inode. Otherwise closes it and returns -1. */
static int checked(int fd, uint64_t ino)
{
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_ino != ino)) {
		close(fd);
		errno = ESTALE;
		return -1;
	}
	return fd;
}

/* Whether path is a link to the file of that name. The file is not asked, which might wait. */
static bool leads_to(const char *path, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	return n > 0 && name && !strncmp(target, name, (size_t)n) && !name[n];
}

static int proc_open_mapped(struct file_source *s, pid_t tid, const struct mapping *m)
{
	struct proc_files *files = (struct proc_files *)s;
	int fd = -1, task = pid_of(s, tid);
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, task, m->start,
		 m->end);
	/* Such a file cannot be asked for its inode before it is opened, as below. */
	if (unlikely(mounts_device_is_process(files->mounts, tid, m->dev_major, m->dev_minor)))
		return late_file_open(&files->late, path);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		return regular_file_open(fd);
	/* This is not permitted, or the mapping has been split by now. */
	snprintf(path, sizeof(path), "/proc/%d/exe", task);
	if (leads_to(path, m->name))
		fd = regular_file_open(checked(open(path, O_PATH | O_CLOEXEC), m->inode));
	if (fd >= 0 || !m->name || *m->name != '/')
		return fd;
	return checked(proc_open_path(s, tid, m->name, false), m->inode);
}

static ssize_t proc_path_of(struct file_source *s attr_unused, int fd, char *buf, size_t size)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, buf, size);
}

static pid_t proc_inner_pid(struct file_source *s, pid_t pid)
{
	char text[1024], *p = text, *end;
	pid_t inner = pid;

	if (!proc_field(text, sizeof(text), "NStgid", "/proc/%d/status", pid_of(s, pid)))
		return pid;
	/* There is one number for each namespace, the innermost one last. */
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

struct file_source *proc_files_create(const struct procfs *procfs)
{
	struct proc_files *p = mem_zalloc(sizeof(*p));

	p->source.ops = &ops;
	p->procfs = procfs;
	p->mounts = mounts_create(procfs);
	return &p->source;
}

void proc_files_destroy(struct file_source *s)
{
	if (s)
		mounts_destroy(((struct proc_files *)s)->mounts);
	free(s);
}
