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

/*
 * Opens the file if the kernel has the path cached and need not access a file system. Otherwise
 * returns -1.
 */
static int find_cached(int root, const char *path, uint64_t flags)
{
	return open_resolved(root, path, flags,
			     (root == AT_FDCWD ? 0 : RESOLVE_1_IN_ROOT) | RESOLVE_1_CACHED);
}

/*
 * Opens a file whose directory the kernel has cached. Returns -1 with errno set on failure. EAGAIN
 * means that the directory is not cached, that a process provides its file system, or that the file
 * is a mount point or a symbolic link.
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

/* Reads a symbolic link into buf and adds a NUL. Returns the length, or 0 on failure. */
static size_t read_link(const char *link, char buf[PATH_MAX])
{
	ssize_t n = readlink(link, buf, PATH_MAX - 1);

	n = n > 0 ? n : 0;
	buf[n] = '\0';
	return (size_t)n;
}

/*
 * Puts the path of a directory, as a process sees it, into `path`. `dir` is a descriptor of the
 * process, or AT_FDCWD. Returns false if the directory is outside the process's root directory.
 */
static bool directory_path(int pid, int dir, char path[PATH_MAX])
{
	char link[64], root[PATH_MAX];
	size_t len, n;

	if (dir == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", pid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, dir);
	len = read_link(link, path);
	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	n = read_link(link, root);
	if (!n || *path != '/')
		return false;
	if (n == 1)
		return true;
	if (strncmp(path, root, n) || (path[n] && path[n] != '/'))
		return false;
	memmove(path, path + n, len - n + 1);
	return true;
}

/*
 * If a tracee's path contains the link /proc/self, tracer reaches its own directory in /proc when
 * it resolves the path. If fd is a file in tracer's directory, closes fd and returns a descriptor
 * of the same file in the directory of the process whose id in /proc is `pid`, or -1 on failure.
 * Otherwise returns fd.
 */
static int use_tracees_own(int fd, int pid)
{
	char link[64], path[PATH_MAX], own[32], theirs[PATH_MAX];
	size_t n = (size_t)snprintf(own, sizeof(own), "/proc/%d", (int)getpid());

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!read_link(link, path) || strncmp(path, own, n) || (path[n] && path[n] != '/'))
		return fd;
	close(fd);
	if (snprintf(theirs, sizeof(theirs), "/proc/%d%s", pid, path + n) >= (int)sizeof(theirs))
		return -1;
	return open(theirs, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int lookup_find_at(struct lookup *l, pid_t tid, int dir, const char *path)
{
	const int pid = procfs_pid(l->procfs, tid);
	char start[PATH_MAX] = "", whole[PATH_MAX];
	int fd;

	errno = ENOENT;
	if (!*path || (*path != '/' && !directory_path(pid, dir, start)))
		return -1;
	if (snprintf(whole, sizeof(whole), "%s/%s", start, path) >= (int)sizeof(whole))
		return -1;
	fd = lookup_find(l, tid, whole, 0);
	return fd < 0 ? fd : use_tracees_own(fd, pid);
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
