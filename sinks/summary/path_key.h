/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --summary-by=path: which file a call is about. */
#ifndef TRACER_SINKS_PATH_KEY_H
#define TRACER_SINKS_PATH_KEY_H

#include "event/event.h"
#include "util/strbuf.h"

/*
 * Appends the first path among the arguments, or else the path of the first descriptor. A path is
 * made absolute where it is known what it is relative to, and "." and ".." are resolved as if there
 * were no symbolic links. If the call has opened the file, the path is the kernel's. So most files
 * have one name, whichever way they are called.
 */
void path_key(struct strbuf *b, const struct event *e);

#endif
