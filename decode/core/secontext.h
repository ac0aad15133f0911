/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SELinux contexts of threads and files (--secontext), see selinux(8). */
#ifndef TRACER_DECODE_CORE_SECONTEXT_H
#define TRACER_DECODE_CORE_SECONTEXT_H

#include "decode/core/decode.h"

/* The functions below do nothing without --secontext. */

/* Sets the context of the event's thread. */
void decode_thread_context(struct decoder *d);
/* Adds the contexts of a descriptor to v, which is a VALUE_FD. */
void decode_fd_context(struct decoder *d, int fd, struct value *v);
/*
 * Adds the contexts of the file whose path is v, a VALUE_STRING. `dir` is the descriptor of the
 * directory in which a relative path starts, or AT_FDCWD.
 */
void decode_path_context(struct decoder *d, int dir, struct value *v);
/* Adds the contexts of the files that the arguments of the call name. */
void decode_argument_contexts(struct decoder *d);

#endif
