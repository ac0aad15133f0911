/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_DECODE_CWD_H
#define TRACER_DECODE_CWD_H

struct decoder;

/* AT_FDCWD, openat(2). With -y, the thread's working directory is shown with it. */
struct value *decode_at_fdcwd(struct decoder *d);

#endif
