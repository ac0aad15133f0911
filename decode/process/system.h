/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Credentials, random bytes, and the system as a whole. */
#ifndef TRACER_DECODE_SYSTEM_H
#define TRACER_DECODE_SYSTEM_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* capget(2): the header says how many words the sets have. */
decode_fn decode_cap_data;
#define CAP_HEADER STRUCT(cap_header)

/* Bytes that are no text: \x escapes throughout. */
#define HEXBYTES(...) TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX)

/* syslog(2): numbers, with their names behind them. */
decode_fn decode_syslog_action, decode_loglevel;
/* swapon(2), kexec_load(2): flags that hold a number. */
decode_fn decode_swap_flags, decode_kexec_flags;
decode_fn decode_kexec_segments;
/* sethostname(2): refused when longer than the kernel has room for. */
decode_fn decode_hostname;

/* What the hatches above read of memory. */
extern const struct hatch_reads system_reads[];

extern const struct type_ops type_kexec_flags;
#define KEXEC_FLAGS TYPE(type_kexec_flags, .width = W_LONG)

extern const struct type_ops type_syslog_action;
#define SYSLOG_ACTION TYPE(type_syslog_action, .width = W32)

extern const struct type_ops type_swap_flags;
#define SWAP_FLAGS TYPE(type_swap_flags, .width = W32)

extern const struct type_ops type_hostname;
#define HOSTNAME TYPE(type_hostname, .width = W_LONG)

extern const struct type_ops type_cap_data;
#define CAP_DATA TYPE(type_cap_data, .width = W_LONG)

#endif
