/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that a call refers to: its paths, made absolute, and the files of its descriptors. */
#ifndef TRACER_EVENT_PATHS_H
#define TRACER_EVENT_PATHS_H

#include "event/find.h"
#include "util/strbuf.h"

/*
 * Appends a path without ".", ".." and empty components. A relative path is appended to the
 * directory `base`. If base is NULL, the directory is unknown, and the relative path is appended
 * unchanged.
 */
void path_put_absolute(struct strbuf *b, const char *base, size_t base_len, const char *path,
		       size_t len);

/* Callback for one path. Returns true to end the iteration. */
typedef bool path_visit(void *ctx, const char *path, size_t len);
/*
 * Calls visit() for each path among the arguments of a call. If there is none, calls it for the
 * path of each descriptor. `ended` means that the call has returned. Returns FOUND as soon as
 * visit() returns true. Otherwise returns FOUND_LATER if there may be another path when the call
 * ends, or FOUND_NOTHING.
 */
enum found event_paths(const struct syscall_event *e, bool ended, path_visit *visit, void *ctx);

#endif
