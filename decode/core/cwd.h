/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_DECODE_CWD_H
#define TRACER_DECODE_CWD_H

struct decoder;

/* Shows AT_FDCWD, see openat(2). With -y, also shows the thread's working directory. */
struct value *decode_at_fdcwd(struct decoder *d);

#endif
