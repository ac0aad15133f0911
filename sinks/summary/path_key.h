/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --summary-by=path: the file that a call is about. */
#ifndef TRACER_SINKS_PATH_KEY_H
#define TRACER_SINKS_PATH_KEY_H

#include "event/event.h"
#include "util/strbuf.h"

/*
 * Appends the first path among the arguments, otherwise the path of the first descriptor. A path is
 * made absolute if its base is known, and "." and ".." are resolved as if there were no symbolic
 * links. If the call opened the file, the kernel's path is used. So most files have a single name.
 */
void path_key(struct strbuf *b, const struct event *e);

#endif
