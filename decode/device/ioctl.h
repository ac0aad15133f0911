/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests of ioctl(2). The arguments of each request are listed in linux/variants/ioctl.def. */
#ifndef TRACER_DECODE_DEVICE_IOCTL_H
#define TRACER_DECODE_DEVICE_IOCTL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * The names of a request, such as "TIOCGWINSZ" or "SNDCTL_TMR_START or TCSETS". Without a name, a
 * request is shown as "_IOC(_IOC_READ, 0x54, 0, 0x4)".
 */
decode_fn ioctl_request;
/*
 * The argument of a request that is not in linux/variants/ioctl.def. If the request number contains
 * the size of the data, -v shows the bytes that the argument points to, except for some types of
 * requests (is_opaque()). Otherwise, the argument is shown as a number.
 */
decode_fn ioctl_unknown_entry, ioctl_unknown_exit;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads ioctl_reads[];

extern const struct type_ops type_ioctl_request;
#define IOCTL_REQUEST TYPE(type_ioctl_request, .width = W32)

#endif
