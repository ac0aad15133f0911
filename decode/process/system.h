/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Capabilities and system-wide calls: syslog(2), swapon(2), kexec_load(2). */
#ifndef TRACER_DECODE_PROCESS_SYSTEM_H
#define TRACER_DECODE_PROCESS_SYSTEM_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * The data of capget(2). It consists of one or two structs, depending on the header in argument 0.
 */
decode_fn decode_cap_data;
#define CAP_HEADER STRUCT(cap_header)

/* For syslog(2): a number, with its name as a comment. */
decode_fn decode_syslog_action, decode_loglevel;
/* The segments of kexec_load(2). */
decode_fn decode_kexec_segments;
/*
 * The name that sethostname(2) sets. If it is longer than the kernel allows, its address is shown.
 */
decode_fn decode_hostname;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads system_reads[];

extern const struct type_ops type_syslog_action;
#define SYSLOG_ACTION TYPE(type_syslog_action, .width = W32)

extern const struct type_ops type_hostname;
#define HOSTNAME TYPE(type_hostname, .width = W_LONG)

extern const struct type_ops type_cap_data;
#define CAP_DATA TYPE(type_cap_data, .width = W_LONG)

#endif
