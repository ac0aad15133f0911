/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mounts: which arguments of mount(2) count, and what statmount(2) tells. */
#ifndef TRACER_DECODE_MOUNT_H
#define TRACER_DECODE_MOUNT_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* mount(2): the type, the data are strings, or do not count. */
bool mount_has_type(const struct decoder *d);
bool mount_has_data(const struct decoder *d);
static inline bool mount_has_no_type(const struct decoder *d)
{
	return !mount_has_type(d);
}
static inline bool mount_has_no_data(const struct decoder *d)
{
	return !mount_has_data(d);
}
/* Its flags, with the magic number of old. */
decode_fn decode_mount_flags;

/* QCMD(Q_GETQUOTA, USRQUOTA): quotactl(2) */
decode_fn decode_quota_op;

/* struct mount_attr: userns_fd counts, or is just a number. */
decode_fn decode_mount_userns, decode_fsconfig_binary;

/* What listmount(2) fills: the length is the room there is. */
decode_fn decode_id_list;
/* A mount's id, or LSMT_ROOT: listmount(2) */
decode_fn decode_mount_id;
/* A string of statmount(2), by its offset from the end of the struct; and as many as the length
 * says, one behind the other. */
decode_fn decode_statmount; /* as much of it as the caller has room for */
decode_fn decode_statmount_string, decode_statmount_strings;
#define FN_STRINGS(...)                                                                            \
	TYPE(type_fn, .width = W32, .fn = decode_statmount_strings, .len = __VA_ARGS__)
/* The fields that its mask says are there. */

/* What the hatches above read of memory. */
extern const struct hatch_reads mount_reads[];

extern const struct type_ops type_quota_op;
#define QUOTA_OP TYPE(type_quota_op, .width = W32)

extern const struct type_ops type_mount_flags;
#define MOUNT_FLAGS TYPE(type_mount_flags, .width = W_LONG)

extern const struct type_ops type_id_list;
#define ID_LIST(...) TYPE(type_id_list, .width = W_LONG, .len = __VA_ARGS__)

#endif
