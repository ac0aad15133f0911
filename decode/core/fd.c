/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/fd.h"

#include <limits.h>
#include <linux/major.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "decode/core/socket_info.h"
#include "capture/proc/proc.h"

#define DELETED " (deleted)" /* proc_pid_fd(5) */

static ssize_t link_read(const struct tcb *tcb, const char *what, char *buf, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/%s", tcb->tid, what);
	n = readlink(link, buf, size - 1);
	if (n < 0)
		return -errno;
	buf[n] = 0;
	return n;
}

ssize_t fd_path(const struct tcb *tcb, int fd, char *buf, size_t size)
{
	char what[32];

	if (fd < 0)
		return -EBADF;
	snprintf(what, sizeof(what), "fd/%d", fd);
	return link_read(tcb, what, buf, size);
}

bool fd_info(const struct tcb *tcb, int fd, const char *key, char *buf, size_t size)
{
	return proc_field(buf, size, key, "/proc/%d/fdinfo/%d", tcb->tid, fd);
}

static bool fd_stat(const struct tcb *tcb, int fd, struct stat *st)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", tcb->tid, fd);
	return stat(link, st) == 0;
}

/* A file may be called "x (deleted)": then that is what is found under this name. */
static bool is_deleted(const struct tcb *tcb, int fd, const char *path, size_t len)
{
	struct stat st, found;

	if (path[0] != '/' || len <= strlen(DELETED) ||
	    strcmp(path + len - strlen(DELETED), DELETED))
		return false;
	return lstat(path, &found) < 0 ||
	       (fd_stat(tcb, fd, &st) && (found.st_ino != st.st_ino || found.st_dev != st.st_dev));
}

size_t fd_name_len(const struct tcb *tcb, int fd, const char *path, size_t len)
{
	return is_deleted(tcb, fd, path, len) ? len - strlen(DELETED) : len;
}

/*
 * The device that has the name of a descriptor. As in strace 7.2 it is looked up by
 * the name: what took the place of a deleted device counts.
 */
static bool named_device(const char *path, struct stat *st)
{
	return path[0] == '/' && stat(path, st) == 0 &&
	       (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode));
}

bool fd_is_terminal(const struct tcb *tcb, int fd)
{
	char path[PATH_MAX];
	ssize_t len = fd_path(tcb, fd, path, sizeof(path));
	struct stat st;
	unsigned n;

	if (len <= 0)
		return false;
	if (is_deleted(tcb, fd, path, len))
		path[len - strlen(DELETED)] = '\0';
	if (!named_device(path, &st) || !S_ISCHR(st.st_mode))
		return false;
	n = major(st.st_rdev);
	return (n >= PTY_SLAVE_MAJOR && n <= TTYAUX_MAJOR) ||
	       (n >= UNIX98_PTY_SLAVE_MAJOR && n < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT);
}

static uint64_t info_number(const struct tcb *tcb, int fd, const char *key, int base)
{
	char text[256];

	return fd_info(tcb, fd, key, text, sizeof(text)) ? strtoull(text, NULL, base) : 0;
}

/* The process that an fd opened as path is a pidfd of; 0: it is none, -1: the process is gone. */
static int pid_of(const struct tcb *tcb, int fd, const char *path)
{
	return strcmp(path, "anon_inode:[pidfd]") ? 0 : (int)info_number(tcb, fd, "Pid", 10);
}

int fd_pidfd(const struct tcb *tcb, int fd)
{
	char path[64];

	return fd_path(tcb, fd, path, sizeof(path)) < 0 ? 0 : pid_of(tcb, fd, path);
}

/* "char 1:3" of a device, "char 5:2 @/dev/pts/0" of a terminal's master side. */
static struct value *device(struct decoder *d, int fd, const struct stat *st)
{
	const char *kind = S_ISCHR(st->st_mode) ? "char" : "block";
	char index[64], slave[96] = "";

	/* pty(7): every open of /dev/ptmx is a terminal of its own. */
	if (S_ISCHR(st->st_mode) && st->st_rdev == makedev(5, 2) &&
	    fd_info(d->tcb, fd, "tty-index", index, sizeof(index)))
		snprintf(slave, sizeof(slave), " @/dev/pts/%s", index);
	return value_plain(d->arena, arena_printf(d->arena, "%s %u:%u%s", kind, major(st->st_rdev),
						  minor(st->st_rdev), slave));
}

static struct value *eventfd(struct decoder *d, int fd)
{
	struct value *v = value_struct(d->arena);
	const struct tcb *tcb = d->tcb;

	value_add_named(v, "eventfd-count",
			value_hex(d->arena, info_number(tcb, fd, "eventfd-count", 16)));
	value_add_named(v, "eventfd-id",
			value_uint(d->arena, info_number(tcb, fd, "eventfd-id", 10)));
	value_add_named(v, "eventfd-semaphore",
			value_uint(d->arena, info_number(tcb, fd, "eventfd-semaphore", 10)));
	return v;
}

static struct value *prefixed(struct decoder *d, const char *prefix, struct value *of)
{
	struct value *v = value_expr(d->arena, VALUE_OP_JOIN, of->num);

	v->text |= TEXT_ALWAYS;
	value_add(v, value_plain(d->arena, prefix));
	value_add(v, of);
	return v;
}

/*
 * What stands instead of the name of a socket or an anonymous inode, or NULL. One of a kind that
 * is asked for, but of which nothing is known, is named though paths are not asked for.
 */
static struct value *nameless(struct decoder *d, int fd, const char *path, unsigned *details)
{
	if (*details & FD_EVENTFD && !strcmp(path, "anon_inode:[eventfd]"))
		return eventfd(d, fd);
	if (*details & FD_SOCKET && !strncmp(path, "socket:[", strlen("socket:["))) {
		*details |= FD_PATH;
		return socket_detail(d, fd, path);
	}
	if (*details & FD_PIDFD) {
		int pid = pid_of(d->tcb, fd, path);

		if (pid)
			*details |= FD_PATH;
		if (pid > 0)
			return prefixed(d, "pid:", decode_pid(d, PID_PROCESS, pid));
	}
	if (*details & FD_SIGNALFD && !strcmp(path, "anon_inode:[signalfd]")) {
		uint64_t mask = info_number(d->tcb, fd, "sigmask", 16);

		return prefixed(
			d, "signalfd:", decode_sigset(d, (const uint8_t *)&mask, sizeof(mask)));
	}
	return NULL;
}

static void set_path(struct decoder *d, struct value *v, const char *path, size_t len)
{
	v->str = arena_strndup(d->arena, path, len);
	v->len = len;
}

struct value *decode_fd(struct decoder *d, int fd)
{
	struct value *v = value_new(d->arena, VALUE_FD, (uint64_t)(int64_t)fd);
	unsigned details = d->config->fd_details;
	char path[PATH_MAX];
	struct stat st;
	ssize_t n;

	v->width = 4;
	if (!details)
		return v;
	n = fd_path(d->tcb, fd, path, sizeof(path));
	if (n <= 0)
		return v;
	v->extra = nameless(d, fd, path, &details);
	if (v->extra)
		return v;
	if (is_deleted(d->tcb, fd, path, n)) {
		v->flags |= VALUE_F_DELETED;
		n -= strlen(DELETED);
		path[n] = '\0';
	}
	if (details & FD_DEV && named_device(path, &st)) {
		v->extra = device(d, fd, &st);
		v->flags &= ~VALUE_F_DELETED;
	} else if (!(details & FD_PATH)) {
		return v;
	}
	set_path(d, v, path, n);
	return v;
}

struct value *decode_at_fdcwd(struct decoder *d)
{
	struct value *v = value_new(d->arena, VALUE_FD, (uint64_t)-100);
	char path[PATH_MAX];
	ssize_t n;

	v->width = 4;
	v->flags = VALUE_F_ATFD;
	if (!(d->config->fd_details & FD_PATH))
		return v;
	n = link_read(d->tcb, "cwd", path, sizeof(path));
	if (n > 0)
		set_path(d, v, path, n);
	return v;
}

struct value *decode_ret_maybe_fd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if ((int64_t)n < 0)
		return value_uint(d->arena, n);
	v = decode_fd(d, (int)n);
	v->num = n;
	return v;
}
