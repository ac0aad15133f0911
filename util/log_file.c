/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/log_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base_name.h"

/* The kernel's limit on the number of symbolic links, see path_resolution(7). */
#define LINKS_MAX 40
/*
 * Maximum number of attempts. An attempt is repeated if another process creates or removes the file
 * between the check and the open.
 */
#define RACES_MAX 100

#define FLAGS (O_WRONLY | O_CLOEXEC | O_LARGEFILE)
#define MODE  0666

/* A path that may be the log or a link to it. */
struct place {
	int dir; /* directory in which a relative `path` starts: AT_FDCWD or a descriptor */
	char path[PATH_MAX];
	unsigned links; /* number of links followed so far */
};

static bool is_trusted(uid_t uid)
{
	return !uid || uid == geteuid();
}

/* Returns true if only tracer's user and root can create files in a folder. */
static bool is_safe(const struct stat *folder)
{
	return is_trusted(folder->st_uid) && !(folder->st_mode & (S_IWGRP | S_IWOTH));
}

static int refuse(const char **why, const char *reason)
{
	*why = reason;
	return -EPERM;
}

/*
 * Checks an existing file in a folder that other users can write to. The file is not a symbolic
 * link. Returns the reason for refusing it, or NULL if it is safe.
 */
static const char *objection(const struct stat *st, const struct stat *folder)
{
	if (!is_trusted(st->st_uid) && (!S_ISREG(st->st_mode) || st->st_uid != folder->st_uid))
		return "another user's file in a directory that others can write to";
	if (is_trusted(st->st_uid) && S_ISREG(st->st_mode) && st->st_nlink > 1)
		return "a hard link in a directory that others can write to";
	return NULL;
}

/*
 * Opens `name`. Returns a descriptor or -errno: -EEXIST if `name` is a symbolic link or no longer
 * the file described by `st`. Can block only if the file is a FIFO. The caller must have checked
 * that such a FIFO belongs to tracer's user or to root.
 */
static int open_known(int folder, const char *name, const struct stat *st, int flags)
{
	bool waits = S_ISFIFO(st->st_mode);
	int fd = openat(folder, name, (flags & ~O_TRUNC) | O_NOFOLLOW | (waits ? 0 : O_NONBLOCK));
	int r = 0;
	struct stat opened;

	if (fd < 0)
		return errno == ELOOP ? -EEXIST : -errno;
	if (fstat(fd, &opened) < 0)
		r = -errno;
	else if (opened.st_dev != st->st_dev || opened.st_ino != st->st_ino)
		r = -EEXIST;
	else if (flags & O_TRUNC && S_ISREG(st->st_mode) && ftruncate(fd, 0) < 0)
		r = -errno;
	else if (!waits && fcntl(fd, F_SETFL, flags & O_APPEND) < 0)
		r = -errno;
	if (!r)
		return fd;
	close(fd);
	return r;
}

/*
 * Reads the target of a symbolic link, and sets p->dir to `folder`, because the target is relative
 * to it. `fd` is an O_PATH descriptor of the link. Returns 0 or -errno.
 */
static int follow(struct place *p, int folder, int fd, char *target)
{
	ssize_t n = readlinkat(fd, "", target, PATH_MAX - 1);

	if (n < 0)
		return -errno;
	if (++p->links > LINKS_MAX)
		return -ELOOP;
	target[n] = '\0';
	p->dir = folder;
	return 0;
}

/*
 * Opens an existing file in a folder that other users can write to. If `name` is a symbolic link,
 * stores its target in `target` and returns 0. Otherwise returns a descriptor of the file, or
 * -errno.
 */
static int open_existing(struct place *p, int folder, const struct stat *folder_st,
			 const char *name, int flags, char *target, const char **why)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), r;
	const char *reason;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		r = -errno;
	} else if (S_ISLNK(st.st_mode)) {
		r = is_trusted(st.st_uid)
			    ? follow(p, folder, fd, target)
			    : refuse(why,
				     "another user's link in a directory that others can write to");
	} else {
		reason = objection(&st, folder_st);
		r = reason ? refuse(why, reason) : open_known(folder, name, &st, flags);
	}
	close(fd);
	return r;
}

static int open_unsafe(struct place *p, int folder, const struct stat *folder_st, const char *name,
		       int flags, char *target, const char **why)
{
	int r = -EEXIST;

	for (int i = 0; i < RACES_MAX && (r == -EEXIST || r == -ENOENT); i++) {
		r = openat(folder, name, flags | O_CREAT | O_EXCL, MODE);
		if (r >= 0)
			return r;
		r = -errno;
		if (r == -EEXIST)
			r = open_existing(p, folder, folder_st, name, flags, target, why);
		else if (r == -ENOENT)
			break;
	}
	return r;
}

/*
 * Returns the last component of a path, and stores its folder in `dir`, a buffer of PATH_MAX bytes.
 */
static const char *split(const char *path, char *dir)
{
	const char *name = base_name(path);

	if (name == path)
		snprintf(dir, PATH_MAX, ".");
	else
		snprintf(dir, PATH_MAX, "%.*s", (int)(name - path), path);
	return name;
}

/*
 * Opens the log. If the log is a symbolic link to follow, stores the target of the link, relative
 * to p->dir, in `target` and returns 0. Otherwise sets `target` to "", and returns a descriptor or
 * -errno.
 */
static int open_at(struct place *p, int flags, char *target, const char **why)
{
	char dir[PATH_MAX];
	const char *name = split(p->path, dir);
	int folder = openat(p->dir, dir, O_PATH | O_DIRECTORY | O_CLOEXEC), r;
	struct stat st;

	*target = '\0';
	if (folder < 0)
		return -errno;
	if (fstat(folder, &st) < 0) {
		r = -errno;
	} else if (is_safe(&st) || !*name || !strcmp(name, ".") || !strcmp(name, "..")) {
		r = openat(p->dir, p->path, flags | O_CREAT, MODE);
		r = r < 0 ? -errno : r;
	} else {
		r = open_unsafe(p, folder, &st, name, flags, target, why);
	}
	if (p->dir != folder)
		close(folder);
	return r;
}

int log_file_open(const char *path, bool append, const char **why)
{
	struct place p = {.dir = AT_FDCWD};
	char target[PATH_MAX];
	int flags = FLAGS | (append ? O_APPEND : O_TRUNC), before, r;

	*why = NULL;
	if (snprintf(p.path, sizeof(p.path), "%s", path) >= (int)sizeof(p.path))
		return -ENAMETOOLONG;
	for (;;) {
		before = p.dir;
		r = open_at(&p, flags, target, why);
		if (before >= 0 && before != p.dir)
			close(before);
		if (r < 0 || !*target)
			break;
		memcpy(p.path, target, sizeof(target));
	}
	if (p.dir >= 0)
		close(p.dir);
	return r;
}
