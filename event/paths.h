/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files to which a call refers: its paths, made absolute, and the files of its descriptors. */
#ifndef TRACER_EVENT_PATHS_H
#define TRACER_EVENT_PATHS_H

#include "event/find.h"
#include "util/strbuf.h"

/*
 * Appends the absolute form of a path, without ".", ".." and empty components. A relative path is
 * resolved in the directory `base`. If base is NULL, that directory is unknown, and a relative path
 * is appended unchanged.
 */
void path_put_absolute(struct strbuf *b, const char *base, size_t base_len, const char *path,
		       size_t len);

/* A callback for one path. Returns true to end the iteration. */
typedef bool path_visit(void *ctx, const char *path, size_t len);
/*
 * Calls visit() for each argument that is a path. If there is none, calls visit() for the path of
 * each descriptor. `ended` must be true if the call has returned. Returns FOUND as soon as visit()
 * returns true. Otherwise returns FOUND_LATER if no argument is known to be a path yet, and some
 * arguments are known only when the call ends. In all other cases, returns FOUND_NOTHING.
 */
enum found event_paths(const struct syscall_event *e, bool ended, path_visit *visit, void *ctx);

#endif
