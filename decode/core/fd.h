/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File descriptors, with what -y and -yy tell of them. */
#ifndef TRACER_DECODE_FD_H
#define TRACER_DECODE_FD_H

#include "decode/core/decode.h"

/* AT_FDCWD, with the working directory where -y asks. */
struct value *decode_at_fdcwd(struct decoder *d);

/* The path of an open fd of a thread, as /proc has it; its length, or -errno. buf is terminated. */
ssize_t fd_path(const struct tcb *tcb, int fd, char *buf, size_t size);

/* How much of such a path is the file's name: /proc adds a note to that of a deleted one. */
size_t fd_name_len(const struct tcb *tcb, int fd, const char *path, size_t len);

/* What /proc/TID/fdinfo/FD says of key, up to the end of its line; false: nothing. */
bool fd_info(const struct tcb *tcb, int fd, const char *key, char *buf, size_t size);

/* Whether the name of an open fd is that of a terminal, as its device's number says. */
bool fd_is_terminal(const struct tcb *tcb, int fd);

/* Our name for the process that fd is a pidfd of; below 1: it is none, or the process is gone. */
int fd_pidfd(const struct tcb *tcb, int fd);

/* A result that is a descriptor, unless it is negative. */
decode_fn decode_ret_maybe_fd;

#endif
