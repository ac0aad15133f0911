/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The descriptors and paths that -e trace-fds= and -P check: those in the arguments that are marked
 * in the syscall's row (enum watch). They are read at the entry, before the call is decoded.
 */
#ifndef TRACER_SELECT_WATCHED_H
#define TRACER_SELECT_WATCHED_H

#include "event/event.h"

struct facts;
struct memory;

/* A call at its entry. */
struct watched_call {
	struct memory *memory; /* memory of the calling thread */
	struct facts *facts;   /* answers questions about the descriptors of the calling thread */
	const struct syscall_event *e;
	bool *memory_seen; /* set to true if memory is read that arguments point to */
};

/*
 * Callbacks, which return true to end the iteration. A path is in the form in which the call passes
 * it or, if `absolute` is set, in its absolute form.
 */
typedef bool watched_fd_visit(void *ctx, int fd);
typedef bool watched_path_visit(void *ctx, const char *path, size_t len, bool absolute);

/* Visits each descriptor. Returns true if visit() has returned true. */
bool watched_fds(const struct watched_call *call, watched_fd_visit *visit, void *ctx);
/*
 * Visits each path and the path of each descriptor. If `absolute` is set, also visits the absolute
 * form of each path. Returns true if visit() has returned true.
 */
bool watched_paths(const struct watched_call *call, bool absolute, watched_path_visit *visit,
		   void *ctx);

#endif
