/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mounts: mount_setattr(2), fsconfig(2), listmount(2) and statmount(2). */
#ifndef TRACER_DECODE_FILE_MOUNT_H
#define TRACER_DECODE_FILE_MOUNT_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * The field mount_attr.userns_fd. It is a descriptor if the attributes contain MOUNT_ATTR_IDMAP,
 * otherwise a number.
 */
decode_fn decode_mount_userns;
/* The value of FSCONFIG_SET_BINARY. The last argument is the size of the value in bytes. */
decode_fn decode_fsconfig_binary;

/* The mount ids that listmount(2) stores. t->len is the capacity of the array, in ids. */
decode_fn decode_id_list;
/* A mount id of listmount(2). It may be LSMT_ROOT. */
decode_fn decode_mount_id;
/*
 * The struct statmount that statmount(2) stores. Bytes beyond the end of the caller's buffer count
 * as zero.
 */
decode_fn decode_statmount;
/*
 * Fields of struct statmount: the offset of a string, and the offset of t->len consecutive
 * NUL-terminated strings. Offsets are relative to the end of the struct.
 */
decode_fn decode_statmount_string, decode_statmount_strings;
#define FN_STRINGS(...)                                                                            \
	TYPE(type_fn, .width = W32, .fn = decode_statmount_strings, .len = __VA_ARGS__)

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads mount_reads[];

extern const struct type_ops type_id_list;
#define ID_LIST(...) TYPE(type_id_list, .width = W_LONG, .len = __VA_ARGS__)

#endif
