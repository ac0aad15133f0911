/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/fd.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

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

struct value *decode_fd(struct decoder *d, int fd)
{
	struct value *v = value_new(d->arena, VALUE_FD, (uint64_t)(int64_t)fd);
	char path[PATH_MAX];
	ssize_t n;

	v->width = 4;
	if (!(d->config->fd_details & FD_PATH))
		return v;
	n = fd_path(d->tcb, fd, path, sizeof(path));
	if (n > 0) {
		v->str = arena_strndup(d->arena, path, n);
		v->len = n;
	}
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
	if (n > 0) {
		v->str = arena_strndup(d->arena, path, n);
		v->len = n;
	}
	return v;
}
