/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that a call names: its paths, made absolute, and the files of its descriptors. */
#ifndef TRACER_EVENT_PATHS_H
#define TRACER_EVENT_PATHS_H

#include "event/find.h"
#include "util/strbuf.h"

/*
 * Appends a path without ".", ".." and empty parts. It is relative to base, unless it is absolute;
 * if base is NULL, that directory is not known, and a relative path is appended as it is.
 */
void path_put_absolute(struct strbuf *b, const char *base, size_t base_len, const char *path,
		       size_t len);

/* Is given a path. Returns whether that is enough. */
typedef bool path_visit(void *ctx, const char *path, size_t len);
/*
 * Calls visit for each path among the arguments of a call; if there is none, for the path of each
 * descriptor. Ends when visit returns true, and then returns FOUND. Otherwise returns FOUND_LATER
 * if there may be a path when the call has ended, and FOUND_NOTHING if not.
 */
enum found event_paths(const struct syscall_event *e, bool ended, path_visit *visit, void *ctx);

#endif
