/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ioctl requests of devices take, where rows do not say it. */
#ifndef TRACER_DECODE_DEVICE_H
#define TRACER_DECODE_DEVICE_H

#include "decode/decode.h"

/* KIOCSOUND: 1000 / * 1193 Hz * /; KDMKTONE: 2<<16|3 / * 397727 Hz, 2 ms * /. */
decode_fn kd_sound, kd_tone;
/* A keyboard mode, in decimal where it has no name. */
decode_fn kd_kbd_mode;
/* A character: 'a' or '\x02'. */
decode_fn kd_character;
#define CHARACTER                                                                                  \
	{                                                                                          \
		.ops = &type_fn, .width = W8, .fn = kd_character                                   \
	}
/* EVIOCGKEYCODE: [scancode, KEY_1]. */
decode_fn input_keycode;
/* A number of nanoseconds or microseconds, and how many seconds they are. */
decode_fn ptp_nanoseconds, epoll_microseconds;
/* "..." among the members of a struct. */
decode_fn more_registers;

/* Of fields: shown with -v, without it, at exit only. */
bool is_verbose(const struct decoder *d);
bool is_abbreviated(const struct decoder *d);
bool is_exit(const struct decoder *d);
/* Of struct pidfd_info: what its mask says is there. */
bool pidfd_has_pid(const struct decoder *d);
bool pidfd_has_creds(const struct decoder *d);
bool pidfd_has_cgroup(const struct decoder *d);
bool pidfd_has_exit(const struct decoder *d);

extern const struct type_case tee_impl_caps[];

#endif
