/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Terminal settings, see termios(3) and ioctl_tty(2). */
#ifndef TRACER_DECODE_DEVICE_TTY_H
#define TRACER_DECODE_DEVICE_TTY_H

#include "decode/core/decode.h"

/* The members c_iflag, c_oflag, c_cflag and c_lflag of struct termios, which contain flags. */
decode_fn tty_iflag, tty_oflag, tty_cflag, tty_lflag;
extern const struct type_ops type_tty_cc;
/*
 * c_cc: an array of `count` bytes. Each byte is shown with the name of its index, such as [VINTR].
 */
#define TTY_CC(count) MEMFN(type_tty_cc, count)
/* A member that contains flags. w is its width, and the function f decodes it. */
#define TTY_FLAG(f, w) TYPE(type_fn, .width = (w), .fn = (f))

#endif
