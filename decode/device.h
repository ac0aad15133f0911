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
decode_fn more_members;

/* Of fields: shown with -v, without it, at exit only. */
bool is_verbose(const struct decoder *d);
bool is_abbreviated(const struct decoder *d);
bool is_exit(const struct decoder *d);
/* Of struct pidfd_info: what its mask says is there. */
bool pidfd_has_pid(const struct decoder *d);
bool pidfd_has_creds(const struct decoder *d);
bool pidfd_has_cgroup(const struct decoder *d);
bool pidfd_has_exit(const struct decoder *d);

/* KERNEL_VERSION(6, 1, 0); v4l2_fourcc('Y', 'U', 'Y', 'V'). */
decode_fn v4l2_version, v4l2_fourcc;
decode_fn v4l2_buffer_flags, v4l2_open_flags;
/* Two 32-bit numbers: 1/30. */
extern const struct type_ops type_v4l2_fract;
#define V4L2_FRACT MEMFN(type_v4l2_fract, 8)
/* Which member of a union the type (of buffer, or enumeration) or memory says is there. */
bool v4l2_is_pix(const struct decoder *d);
bool v4l2_is_overlay(const struct decoder *d);
bool v4l2_is_vbi(const struct decoder *d);
bool v4l2_is_mplane(const struct decoder *d);
bool v4l2_is_sdr(const struct decoder *d);
bool v4l2_is_meta(const struct decoder *d);
bool v4l2_is_capture(const struct decoder *d);
bool v4l2_is_output(const struct decoder *d);
bool v4l2_is_discrete(const struct decoder *d);
bool v4l2_is_stepwise(const struct decoder *d);
bool v4l2_is_mmap(const struct decoder *d);
bool v4l2_is_userptr(const struct decoder *d);

/* The bytes of a hardware address: 02:fc:00:00:00:01, as many as the struct's sa_family has. */
extern const struct type_ops type_hardware_bytes;
/* SIOCGIFCONF: a length, then the interfaces that fit. */
decode_fn ifconf;
/* if_nametoindex("eth0"). */
decode_fn interface_index;

/* The flags of a subvolume, where the argument points. */
decode_fn btrfs_subvol_flags;
/* Features that no kernel knows yet. */
decode_fn btrfs_compat;
bool btrfs_has_csum(const struct decoder *d);
bool btrfs_has_generation(const struct decoder *d);
bool btrfs_has_metadata(const struct decoder *d);
/* 16 bytes: 01020304-0506-0708-090a-0b0c0d0e0f10. */
extern const struct type_ops type_uuid;
#define UUID MEMFN(type_uuid, 16)

bool btrfs_has_inherit(const struct decoder *d);
bool v4l2_has_reserved(const struct decoder *d);
/* "[...]": an array that only -v shows. */
decode_fn more_elements;
bool gpio_has_attrs(const struct decoder *d);

extern const struct type_case tee_impl_caps[];

#endif
