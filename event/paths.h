/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that a call names: its paths, made absolute, and the files of its descriptors. */
#ifndef TRACER_EVENT_PATHS_H
#define TRACER_EVENT_PATHS_H

#include "event/find.h"
#include "util/strbuf.h"

/*
 * Appends a path without ".", ".." and empty components. A relative path is appended to the
 * directory base. If base is NULL, the directory is not known, and a relative path is appended
 * unchanged.
 */
void path_put_absolute(struct strbuf *b, const char *base, size_t base_len, const char *path,
		       size_t len);

/* Receives one path. Returns true to end the iteration. */
typedef bool path_visit(void *ctx, const char *path, size_t len);
/*
 * Calls visit for each path among the arguments of a call or, if there is none, for the path of
 * each descriptor. If `ended`, the call has returned. Returns FOUND as soon as visit returns true.
 * Otherwise returns FOUND_LATER if the end of the call may add a path, and FOUND_NOTHING if not.
 */
enum found event_paths(const struct syscall_event *e, bool ended, path_visit *visit, void *ctx);

#endif
