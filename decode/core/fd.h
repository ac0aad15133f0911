/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File descriptors, with the details of -y and -yy. */
#ifndef TRACER_DECODE_CORE_FD_H
#define TRACER_DECODE_CORE_FD_H

#include "decode/core/decode.h"

/* Returns true if a descriptor of the tracee is a terminal, according to its device number. */
bool fd_is_terminal(const struct decoder *d, int fd);

/*
 * Returns true if a descriptor of the tracee is a pidfd, and the pid in its fdinfo is not 0. Sets
 * *shown to the pid of its process in the pidfd's fdinfo, or to -1 if the process is gone. Sets
 * *pid to the process's pid in tracer's pid namespace, or to 0 if it has none there.
 */
bool fd_is_pidfd(const struct decoder *d, int fd, int *shown, int *pid);

/*
 * Returns the value of a descriptor in an fd_set of select(2). As in strace, it is shown without
 * the context of --secontext.
 */
struct value *decode_fd_in_set(struct decoder *d, int fd);

/* For tables of syscalls: a result that is a descriptor if it is not negative. */
decode_fn decode_ret_maybe_fd;

#endif
