/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Custom decoders for ioctl requests of consoles, input devices, clocks, video devices and others.
 */
#ifndef TRACER_DECODE_DEVICE_DEVICE_H
#define TRACER_DECODE_DEVICE_DEVICE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * The arguments of KIOCSOUND (1000 / * 1193 Hz * /) and KDMKTONE (2<<16|3 / * 397727 Hz, 2 ms * /).
 */
decode_fn kd_sound, kd_tone;
/* A console port, with its offset from the first port as a comment: 0x3b5 / * GPFIRST + 1 * /. */
extern const struct type_ops type_kd_port;
#define KD_PORT TYPE(type_kd_port, .width = W_LONG)
/* A keyboard mode. It is shown in decimal if it has no name. */
decode_fn kd_kbd_mode;
/* A character, such as 'a', '\'', '\t' or '\x02'. */
decode_fn kd_character;
#define CHARACTER TYPE(type_fn, .width = W8, .fn = kd_character)
/*
 * kd_table: the number of a key table, such as K_NORMTAB or 1<<KG_CTRL. kd_function_key: the number
 * of a function key, such as KVAL(K_F1).
 */
decode_fn kd_table, kd_function_key;
/* A character, or a glyph of the font, such as UNI_DIRECT_BASE+0x1. */
decode_fn kd_unicode;
/* struct kbentry, an entry of a key table. It is read even with -e verbose=none. */
extern const struct type_ops type_kd_entry;
/*
 * The key in a struct kbentry, such as 0x101 / * K_F2 * /, and the string that follows a function
 * key's struct.
 */
extern const struct type_ops type_kd_key, type_kd_key_string;
/* Input device requests that are not in linux/variants/ioctl.def. Use with PHASE_BOTH. */
decode_fn input_request_entry, input_request_exit;
/* The argument of EVIOCGKEYCODE and EVIOCSKEYCODE: a scancode and a key, such as [30, KEY_A]. */
decode_fn input_keycode;
/* A number of ns or µs, followed by the time in seconds as a comment. */
decode_fn ptp_nanoseconds, epoll_microseconds;
/* struct ptp_clock_time of <linux/ptp_clock.h>, followed by the date as a comment. */
#define PTP_TIME                                                                                   \
	TYPE(type_struct, .desc = &struct_ptp_clock_time, .flags = TYPE_F_DATE | TYPE_F_MEANING)
/* For SWITCH(): the value in a struct rtc_param. The member `param` selects the case. */
extern const struct type_case rtc_param_values[];
/*
 * The times in a struct ptp_sys_offset. They alternate between the system clock and the device, and
 * begin and end with the system clock, so there are 2 * n_samples + 1 of them.
 */
extern const struct type_ops type_ptp_samples;
/*
 * For ON_ENTER() and ON_EXIT(). Like strace 7.2, shows a NULL in argument 2 as 0 if -e verbose=none
 * is given.
 */
decode_fn plain_null;
/* "..." in place of some members of a struct. */
decode_fn more_members;

/*
 * Condition for a reserved array at the end of a struct: true if any byte of the array is not zero.
 */
bool has_reserved(const struct decoder *d);
/*
 * device_question shows the struct at entry. At exit, device_answer shows the struct again: {a} =>
 * {b}. If the call failed, device_answer shows the struct's address: {a} => 0x1000.
 */
decode_fn device_question, device_answer;
#define QUESTION(...) FN_X(device_question, &(const struct type)__VA_ARGS__)
#define ANSWER(...)   FN_X(device_answer, &(const struct type)__VA_ARGS__)
#define ANSWERED(...) BY_PHASE(QUESTION(__VA_ARGS__), ANSWER(__VA_ARGS__))
decode_fn kd_font_entry, kd_font_exit, pidfd_exit_code, pidfd_info_entry, pidfd_info_exit,
	seccomp_notification;
/*
 * A result: a descriptor if the struct that argument 2 points to could be read, otherwise a number.
 */
decode_fn ret_fd_if_struct;
/*
 * For KVM_RUN: kvm_run_before is called at entry and kvm_run_after at exit. kvm_run_after adds a
 * note that says why a vcpu returned: (KVM_EXIT_HLT). The other functions decode fields of struct
 * kvm_run (<linux/kvm.h>).
 */
decode_fn kvm_run_before, kvm_run_after, kvm_reason, kvm_padded, kvm_io_data;
/* The flags for a new descriptor; a signal; the name of a font and its data. */
decode_fn new_fd_flags, kd_signal, kd_font_name, kd_font_data;

/* A pixel format, such as v4l2_fourcc('Y', 'U', 'Y', 'V'). */
decode_fn v4l2_fourcc;
#define V4L2_FOURCC(x) TYPE(type_fn, .width = W32, .fn = v4l2_fourcc, .names = &xlat_##x)
/*
 * The id of a control. v4l2_control_id is for ids that may request the next control:
 * V4L2_CTRL_FLAG_NEXT_CTRL|V4L2_CID_HUE.
 */
decode_fn v4l2_control;
decode_fn v4l2_control_id;
/* VIDIOC_*_EXT_CTRLS: a list of controls, which the call may change. */
decode_fn v4l2_ext_controls_get_entry, v4l2_ext_controls_get_exit, v4l2_ext_controls_set_entry,
	v4l2_ext_controls_set_exit;
/* The buffers that were created, shown at exit: ({index=1, count=2}). */
decode_fn v4l2_created;
/*
 * A struct v4l2_buffer as the caller passes it (request), and as the driver has filled it in
 * (filled).
 */
extern const struct type_ops type_v4l2_buffer_request, type_v4l2_buffer_filled,
	type_v4l2_dequeue_request, type_v4l2_dequeue_filled;
#define V4L2_QUEUED(s)                                                                             \
	BY_PHASE(STRUCTFN(type_v4l2_buffer_request, s), STRUCTFN(type_v4l2_buffer_filled, s))
#define V4L2_DEQUEUED(s)                                                                           \
	BY_PHASE(STRUCTFN(type_v4l2_dequeue_request, s), STRUCTFN(type_v4l2_dequeue_filled, s))
/* A fraction of two 32-bit numbers, such as 1/30. */
extern const struct type_ops type_v4l2_fract;
#define V4L2_FRACT MEMFN(type_v4l2_fract, 8)
/*
 * The structs of VIDIOC_G_PARM and VIDIOC_S_PARM, and of VIDIOC_S_FMT and VIDIOC_TRY_FMT. For some
 * buffer types, nothing is added at exit.
 */
extern const struct type_ops type_v4l2_streamparm, type_v4l2_format_set;
#define V4L2_STREAMPARM(s) STRUCTFN(type_v4l2_streamparm, s)
#define V4L2_FORMAT_SET	   STRUCTFN(type_v4l2_format_set, v4l2_format_set)

/* A hardware address, such as 02:fc:00:00:00:01. Its length depends on the struct's sa_family. */
extern const struct type_ops type_hardware_bytes;
/* SIOCGIFCONF: the length, followed by the interfaces that fit in the buffer. */
decode_fn ifconf_entry, ifconf_exit;
/* The index of a network interface, shown as if_nametoindex("eth0"). */
decode_fn interface_index;

/* A UUID of 16 bytes, such as 01020304-0506-0708-090a-0b0c0d0e0f10. */
extern const struct type_ops type_uuid;
#define UUID MEMFN(type_uuid, 16)

/* "[...]" in place of an array that is shown only with -v, or "[]" if the array is empty. */
decode_fn more_elements;

extern const struct type_case tee_impl_caps[];
/* The argument of a request that uses struct tee_ioctl_buf_data, at entry and at exit. */
decode_fn tee_argument_entry, tee_argument_exit;
#define TEE_ARGUMENT_(f, s) TYPE(type_fn, .width = W64, .fn = (f), .shape = &struct_##s)
#define TEE_ARGUMENT(s)                                                                            \
	BY_PHASE(TEE_ARGUMENT_(tee_argument_entry, s), TEE_ARGUMENT_(tee_argument_exit, s))
/* The parameters that follow a struct of a TEE request, and the attributes of one parameter. */
decode_fn tee_params, tee_attr;

/* Lists the memory that the decoders in device_console.c read; see decode/core/plan_types.h. */
extern const struct custom_reads console_reads[];

/* Lists the memory that the decoders in device_input.c read; see decode/core/plan_types.h. */
extern const struct custom_reads input_reads[];

/* Lists the memory that the decoders in device_kernel.c read; see decode/core/plan_types.h. */
extern const struct custom_reads kernel_reads[];

/* Lists the memory that the decoders in device_net.c read; see decode/core/plan_types.h. */
extern const struct custom_reads netdev_reads[];

/* Lists the memory that the decoders in device_video.c read; see decode/core/plan_types.h. */
extern const struct custom_reads video_reads[];

#endif
