/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "select/watched.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>

#include "capture/facts.h"
#include "capture/memory.h"
#include "event/paths.h"
#include "linux/syscall_desc.h"
#include "syscall.h"
#include "util/mem.h"
#include "util/strbuf.h"

/* The state of an iteration. One of the callbacks is NULL. */
struct visitor {
	const struct watched_call *call;
	watched_fd_visit *fd;
	watched_path_visit *path;
	bool absolute; /* also visit the absolute form of paths */
	void *ctx;
};

/*
 * Visits the absolute form of a path. A relative path is relative to dirfd. Returns true if the
 * callback has returned true.
 */
static bool visit_absolute(const struct visitor *v, int dirfd, const char *path, size_t len)
{
	attr_cleanup(strbuf_deinit) struct strbuf whole = {0};
	struct fact_answer base = {0};

	if (!len)
		return false;
	if (path[0] != '/' &&
	    (fact_fd_path(v->call->facts, v->call->e->base.tid, dirfd, &base) <= 0 ||
	     base.bytes[0] != '/'))
		return false;
	path_put_absolute(&whole, base.bytes, (size_t)base.numbers[0], path, len);
	return v->path(v->ctx, whole.data, whole.len, true);
}

static bool visit_path(const struct visitor *v, uint64_t addr, int dirfd)
{
	char path[PATH_MAX + 1];
	ssize_t n = v->path && addr ? memory_read_string(v->call->memory, addr, path, sizeof(path))
				    : -1;

	return n >= 0 && (v->path(v->ctx, path, n, false) ||
			  (v->absolute && visit_absolute(v, dirfd, path, n)));
}

static bool visit_fd(const struct visitor *v, int fd)
{
	struct fact_answer path;

	if (fd < 0)
		return false;
	if (v->fd)
		return v->fd(v->ctx, fd);
	return fact_fd_path(v->call->facts, v->call->e->base.tid, fd, &path) > 0 &&
	       v->path(v->ctx, path.bytes, (size_t)path.numbers[0], false);
}

/* Maximum number of descriptors that are visited per call. */
#define FDS_MAX (1 << 20)

static bool visit_pollfds(const struct visitor *v, uint64_t addr, uint32_t count)
{
	struct pollfd fds[64];

	if (count > FDS_MAX)
		count = FDS_MAX;
	for (size_t n; count; count -= n, addr += n * sizeof(fds[0])) {
		size_t size = size_min(count, ARRAY_SIZE(fds)) * sizeof(fds[0]);
		ssize_t got = memory_read_some(v->call->memory, addr, fds, size);

		if (got < (ssize_t)sizeof(fds[0]))
			return false;
		n = got / sizeof(fds[0]);
		for (size_t i = 0; i < n; i++) {
			if (visit_fd(v, fds[i].fd))
				return true;
		}
	}
	return false;
}

static bool visit_fd_set(const struct visitor *v, uint64_t addr)
{
	const struct syscall_event *e = v->call->e;
	int count = (int)e->raw_args[0];
	attr_cleanup(mem_free_ptr) uint8_t *bits = NULL;
	size_t size;

	if (count <= 0 || !addr)
		return false;
	if (count > FDS_MAX)
		count = FDS_MAX;
	size = (count + 8 * e->abi->long_size - 1) / (8 * e->abi->long_size) * e->abi->long_size;
	bits = mem_alloc(size);
	if (memory_read(v->call->memory, addr, bits, size))
		return false;
	for (int fd = 0; fd < count; fd++) {
		if (bits[fd / 8] >> fd % 8 & 1 && visit_fd(v, fd))
			return true;
	}
	return false;
}

/*
 * Visits the descriptors or paths in an argument with the value `n`. `next` is the index of the
 * register after the argument's register. Relative paths start at dirfd. Returns true if a callback
 * has returned true.
 */
static bool visit_arg(const struct visitor *v, enum watch watch, uint64_t n, unsigned next,
		      int dirfd)
{
	switch (watch) {
	case WATCH_FD:
		return visit_fd(v, (int)n);
	case WATCH_PATH:
		return visit_path(v, n, dirfd);
	case WATCH_POLLFDS:
		return visit_pollfds(v, n, (uint32_t)v->call->e->raw_args[next]);
	case WATCH_FD_SET:
		return visit_fd_set(v, n);
	default:
		return false;
	}
}

static bool visit_row(const struct visitor *v, const struct syscall_desc *desc, bool is_variant)
{
	int dirfd = AT_FDCWD;
	unsigned reg = 0;

	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct arg_desc *a = &desc->args[i];
		const enum watch watch = syscall_arg_watch(a, is_variant);
		uint64_t n = a->phase < PHASE_HOOK_ENTER ? syscall_arg(v->call->e, a, &reg) : 0;

		*v->call->memory_seen |= watch == WATCH_POLLFDS || watch == WATCH_FD_SET ||
					 (watch == WATCH_PATH && v->path);
		if (visit_arg(v, watch, n, reg, dirfd))
			return true;
		dirfd = a->type.flags & TYPE_F_AT ? (int)n : AT_FDCWD;
	}
	return false;
}

static bool visit(const struct visitor *v)
{
	const struct syscall_event *e = v->call->e;
	const struct syscall_desc *desc;

	if (!e->desc)
		return false;
	desc = &syscall_descs[e->row];
	return visit_row(v, desc, false) || (e->desc != desc && visit_row(v, e->desc, true));
}

bool watched_fds(const struct watched_call *call, watched_fd_visit *fd, void *ctx)
{
	return visit(&(struct visitor){.call = call, .fd = fd, .ctx = ctx});
}

bool watched_paths(const struct watched_call *call, bool absolute, watched_path_visit *path,
		   void *ctx)
{
	return visit(
		&(struct visitor){.call = call, .path = path, .absolute = absolute, .ctx = ctx});
}
