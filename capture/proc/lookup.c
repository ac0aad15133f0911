/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/lookup.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/proc/openat2.h"
#include "capture/proc/procfs.h"

int open_by_parts(int dir, const char *path, uint64_t flags)
{
	char part[NAME_MAX + 1];
	int at = dir, fd = -1;

	errno = ENOENT;
	for (size_t n; *path; path += n) {
		bool last;

		path += strspn(path, "/");
		n = strcspn(path, "/");
		last = !path[n + strspn(path + n, "/")];
		errno = EXDEV;
		if (!n || n > NAME_MAX || (n == 2 && !memcmp(path, "..", 2)))
			break;
		snprintf(part, sizeof(part), "%.*s", (int)n, path);
		fd = openat(at, part,
			    (last ? (int)flags : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
		if (at != dir)
			close(at);
		at = fd;
		if (fd < 0 || last)
			return fd;
	}
	if (at != dir && at >= 0)
		close(at);
	return -1;
}

/*
 * Returns true if a lookup with RESOLVE_1_CACHED failed because the kernel has not cached the
 * answer, or because the kernel is too old for the flag.
 */
static bool is_not_cached(int fd)
{
	return fd < 0 && (errno == EAGAIN || errno == EINVAL || errno == ENOSYS);
}

static int not_cached(void)
{
	errno = EAGAIN;
	return -1;
}

/* Opens the file if the kernel can find it without access to its file system. */
static int find_cached(int root, const char *path, uint64_t flags)
{
	return open_resolved(root, path, flags,
			     (root == AT_FDCWD ? 0 : RESOLVE_1_IN_ROOT) | RESOLVE_1_CACHED);
}

/*
 * Opens a file in a directory that the kernel has cached. Fails if the directory is in a file
 * system that a process provides.
 */
static int find_in_cached_dir(struct lookup *l, pid_t tid, int root, const char *path,
			      uint64_t flags)
{
	const char *name = strrchr(path, '/') + 1;
	char folder[PATH_MAX];
	struct file_stat st;
	int dir, fd = -1;

	snprintf(folder, sizeof(folder), "%.*s", (int)(name - path), path);
	dir = find_cached(root, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return is_not_cached(dir) ? not_cached() : -1;
	if (!mounts_stat(dir, &st) || mounts_by_process(l->mounts, tid, &st))
		errno = EAGAIN;
	else
		fd = open_resolved(dir, name, flags, RESOLVE_1_NO_XDEV | RESOLVE_1_NO_SYMLINKS);
	if (fd < 0 && (errno == EXDEV || errno == ELOOP))
		errno = EAGAIN;
	close(dir);
	return fd;
}

static int find(struct lookup *l, pid_t tid, int root, const char *path, uint64_t flags)
{
	int fd = find_cached(root, path, flags);

	if (is_not_cached(fd))
		fd = find_in_cached_dir(l, tid, root, path, flags);
	if (!is_not_cached(fd))
		return fd;
	if (mounts_have_process(l->mounts, tid))
		return late_file_find(&l->late, root, path, flags);
	return open_in_root(root, path, flags);
}

int lookup_find(struct lookup *l, pid_t tid, const char *path, int flags)
{
	const uint64_t all = (unsigned)flags | O_PATH | O_CLOEXEC;
	char name[32];
	int root, fd;

	errno = ENOENT;
	if (*path != '/')
		return -1;
	if (!tid && !l->root)
		return find(l, 0, AT_FDCWD, path, all);
	snprintf(name, sizeof(name), "/proc/%d/root", procfs_pid(l->procfs, tid));
	root = open(tid ? name : l->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	fd = find(l, tid, root, path, all);
	close(root);
	return fd;
}

int lookup_open(struct lookup *l, pid_t tid, int fd)
{
	struct file_stat st;
	char path[32];
	int opened = -1, error;

	if (fd < 0)
		return -1;
	errno = ENXIO;
	if (mounts_stat(fd, &st) && S_ISREG(st.mode)) {
		if (mounts_by_process(l->mounts, tid, &st)) {
			opened = late_file_copy(&l->late, fd);
		} else {
			snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
			opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		}
	}
	error = errno;
	close(fd);
	errno = error;
	return opened;
}

void lookup_init(struct lookup *l, const struct procfs *procfs, const char *root)
{
	l->procfs = procfs;
	l->root = root;
	l->mounts = mounts_create(procfs);
	late_files_init(&l->late);
}

void lookup_deinit(struct lookup *l)
{
	mounts_destroy(l->mounts);
	late_files_deinit(&l->late);
}
