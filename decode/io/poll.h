/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for files: poll(2), select(2), epoll(7), fanotify(7). */
#ifndef TRACER_DECODE_POLL_H
#define TRACER_DECODE_POLL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* A negative fd is not looked at, so that its events are not shown. */
/*
 * Notes behind the result: Timeout; what is ready, and what is left of the timeout.
 */
decode_fn note_poll, note_ppoll, note_ppoll_time64, note_select, note_pselect, note_pselect_time64;
/* A set of as many fds as the first argument says. */
decode_fn decode_fd_set;
/* epoll_ctl(2): the event counts, or does not. */
/* FAN_CLASS_NOTIF|FAN_CLOEXEC: fanotify_init(2) */
decode_fn decode_fanotify_init_flags;
/* A directory, AT_FDCWD or FAN_NOFD: fanotify_mark(2) */
decode_fn decode_fanotify_dirfd;

/* What the hatches above read of memory. */
extern const struct hatch_reads poll_reads[];

extern const struct type_ops type_fanotify_init_flags;
#define FANOTIFY_INIT_FLAGS TYPE(type_fanotify_init_flags, .width = W32)

extern const struct type_ops type_fanotify_dirfd;
#define FANOTIFY_DIRFD TYPE(type_fanotify_dirfd, .width = W32)

extern const struct type_ops type_fd_set;
#define FDS TYPE(type_fd_set, .width = W_LONG)

#endif
