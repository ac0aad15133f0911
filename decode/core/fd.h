/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File descriptors, with what -y and -yy tell of them. */
#ifndef TRACER_DECODE_FD_H
#define TRACER_DECODE_FD_H

#include "decode/core/decode.h"

/* AT_FDCWD, with the working directory where -y asks. */
struct value *decode_at_fdcwd(struct decoder *d);

/* Whether the name of a descriptor is that of a terminal, as its device's number says. */
bool fd_is_terminal(const struct decoder *d, int fd);

/*
 * Whether a descriptor is a pidfd; *shown and *pid as in fact_fd_pidfd(), *shown is -1 if its
 * process is gone.
 */
bool fd_is_pidfd(const struct decoder *d, int fd, int *shown, int *pid);

/* A result that is a descriptor, unless it is negative. */
decode_fn decode_ret_maybe_fd;

#endif
