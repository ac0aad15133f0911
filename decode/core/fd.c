/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/major.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "decode/core/secontext.h"
#include "decode/core/socket_info.h"
#include "capture/facts.h"

/*
 * Returns true if a device number is that of a terminal. The kernel's
 * Documentation/admin-guide/devices.txt lists the numbers.
 */
static bool is_terminal(uint64_t rdev)
{
	unsigned n = major(rdev);

	return (n >= PTY_SLAVE_MAJOR && n <= TTYAUX_MAJOR) ||
	       (n >= UNIX98_PTY_SLAVE_MAJOR && n < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT);
}

bool fd_is_terminal(const struct decoder *d, int fd)
{
	struct fact_answer path;
	unsigned type;
	uint64_t rdev;

	if (fact_fd_path(d->facts, d->tid, fd, &path) <= 0)
		return false;
	path.bytes[path.numbers[0]] = '\0';
	return fact_device(d->facts, path.bytes, &type, &rdev) && S_ISCHR(type) &&
	       is_terminal(rdev);
}

static uint64_t info_number(const struct decoder *d, int fd, const char *key, int base)
{
	char text[256];

	return fact_fd_info(d->facts, d->tid, fd, key, text, sizeof(text))
		       ? strtoull(text, NULL, base)
		       : 0;
}

static bool is_pidfd(const struct decoder *d, int fd, const char *path, int *shown, int *pid)
{
	return !strcmp(path, "anon_inode:[pidfd]") &&
	       fact_fd_pidfd(d->facts, d->tid, fd, shown, pid) && *shown;
}

bool fd_is_pidfd(const struct decoder *d, int fd, int *shown, int *pid)
{
	struct fact_answer path;

	return fact_fd_path(d->facts, d->tid, fd, &path) > 0 &&
	       is_pidfd(d, fd, path.bytes, shown, pid);
}

/* Sets the name of v, which describes a property of a descriptor. Returns v. */
static struct value *named(const char *name, struct value *v)
{
	v->name = name;
	return v;
}

/* Like named(), for a property whose name does not appear in text output. */
static struct value *unnamed(const char *name, struct value *v)
{
	v->text |= TEXT_UNNAMED;
	return named(name, v);
}

static struct value *device(struct decoder *d, int fd, unsigned type, uint64_t rdev)
{
	struct value *v = value_new(d->arena, VALUE_DEVICE_FILE, rdev);
	char index[64];

	value_add_named(v, "type", value_plain(d->arena, S_ISCHR(type) ? "char" : "block"));
	value_add_named(v, "major", value_uint(d->arena, major(rdev)));
	value_add_named(v, "minor", value_uint(d->arena, minor(rdev)));
	/*
	 * Each open of /dev/ptmx creates a new terminal, see pty(7), so add the terminal of this
	 * descriptor.
	 */
	if (S_ISCHR(type) && rdev == makedev(5, 2) &&
	    fact_fd_info(d->facts, d->tid, fd, "tty-index", index, sizeof(index)))
		value_add_named(
			v, "terminal",
			value_plain(d->arena, arena_printf(d->arena, "/dev/pts/%s", index)));
	return unnamed("device", v);
}

static struct value *eventfd(struct decoder *d, int fd)
{
	struct value *v = value_struct(d->arena);

	value_add_named(v, "eventfd-count",
			value_hex(d->arena, info_number(d, fd, "eventfd-count", 16)));
	value_add_named(v, "eventfd-id",
			value_uint(d->arena, info_number(d, fd, "eventfd-id", 10)));
	value_add_named(v, "eventfd-semaphore",
			value_uint(d->arena, info_number(d, fd, "eventfd-semaphore", 10)));
	return unnamed("eventfd", v);
}

/*
 * Returns the value that is shown in place of the path of a socket or an anonymous inode. Returns
 * NULL if *details does not request this value, or if nothing is known. For a socket about which
 * nothing is known, and for a pidfd whose process is gone, adds FD_PATH to *details, so that at
 * least the path is shown.
 */
static struct value *nameless(struct decoder *d, int fd, const char *path, unsigned *details)
{
	if (*details & FD_EVENTFD && !strcmp(path, "anon_inode:[eventfd]"))
		return eventfd(d, fd);
	if (*details & FD_SOCKET && !strncmp(path, "socket:[", strlen("socket:["))) {
		struct value *v = socket_detail(d, fd, path);

		*details |= FD_PATH;
		return v ? unnamed("socket", v) : NULL;
	}
	if (*details & FD_PIDFD) {
		int shown, pid;

		if (is_pidfd(d, fd, path, &shown, &pid)) {
			*details |= FD_PATH;
			if (shown > 0)
				return named("pid", decode_known_pid(d, shown, pid));
		}
	}
	if (*details & FD_SIGNALFD && !strcmp(path, "anon_inode:[signalfd]")) {
		uint64_t mask = info_number(d, fd, "sigmask", 16);

		return named("signalfd", decode_sigset(d, (const uint8_t *)&mask, sizeof(mask)));
	}
	return NULL;
}

static void set_path(struct decoder *d, struct value *v, const char *path, size_t len)
{
	v->str = arena_strndup(d->arena, path, len);
	v->len = len;
}

/* Adds to v the details of descriptor fd that the flags in `details` request. */
static void describe(struct decoder *d, int fd, struct value *v, unsigned details)
{
	struct fact_answer path;
	unsigned type;
	uint64_t rdev;
	ssize_t n = fact_fd_path(d->facts, d->tid, fd, &path);

	if (n <= 0)
		return;
	v->extra = nameless(d, fd, path.bytes, &details);
	if (v->extra)
		return;
	if (path.numbers[0] < n) {
		v->flags |= VALUE_F_DELETED;
		n = path.numbers[0];
		path.bytes[n] = '\0';
	}
	if (details & FD_DEV && fact_device(d->facts, path.bytes, &type, &rdev)) {
		v->extra = device(d, fd, type, rdev);
		v->flags &= ~VALUE_F_DELETED;
	} else if (!(details & FD_PATH)) {
		return;
	}
	set_path(d, v, path.bytes, n);
}

/* Adds to v the details of descriptor fd that only queries need. They are not shown. */
static void add_known(struct decoder *d, int fd, struct value *v)
{
	struct value *known = value_new(d->arena, VALUE_FD, v->num);

	describe(d, fd, known, d->config->query_details);
	v->known = known;
}

struct value *decode_fd_in_set(struct decoder *d, int fd)
{
	struct value *v = value_new(d->arena, VALUE_FD, (uint64_t)(int64_t)fd);

	v->width = 4;
	/*
	 * A negative number is not a descriptor. Calls that accept AT_FDCWD use decode_at_fdcwd().
	 */
	if (!(d->config->fd_details | d->config->query_details) || fd < 0)
		return v;
	if (d->config->reads_only && facts_knows_fd(d->facts, d->tid, fd))
		return v;
	if (decode_is_spent(d))
		return v;
	arena_charge(d->arena, BUDGET_FACT);
	facts_were_late(d->facts);
	if (d->config->fd_details)
		describe(d, fd, v, d->config->fd_details);
	if (facts_were_late(d->facts))
		v->err = -ESTALE;
	if (d->config->query_details & ~d->config->fd_details)
		add_known(d, fd, v);
	if (d->config->reads_only)
		facts_asked_fd(d->facts, d->tid, fd);
	return v;
}

struct value *decode_fd(struct decoder *d, int fd)
{
	struct value *v = decode_fd_in_set(d, fd);

	if (fd >= 0)
		decode_fd_context(d, fd, v);
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
