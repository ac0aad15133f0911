/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --summary-by=path: finds the file that a call refers to. */
#ifndef TRACER_SINKS_PATH_KEY_H
#define TRACER_SINKS_PATH_KEY_H

#include "event/event.h"
#include "util/strbuf.h"

/*
 * Appends the first path among the arguments or, if there is none, the path of the first
 * descriptor. If the base directory is known, the path is made absolute. "." and ".." are resolved
 * without regard to symbolic links. If the call opened the file, the path that the kernel reports
 * for the descriptor is used instead, so most files have only one name. If the call has neither a
 * path nor a descriptor with a path, appends "(no path)".
 */
void path_key(struct strbuf *b, const struct event *e);

#endif
