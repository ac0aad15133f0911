/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the rows of files need beyond types: conditions, and values with parts of two tables. */
#ifndef TRACER_DECODE_FILE_H
#define TRACER_DECODE_FILE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* O_RDWR|O_CREAT: an access mode of two bits, then flags. open(2) */
decode_fn decode_open_flags;
/* open_how.flags of openat2(2), which has flags of its own above the 32 bits. */
decode_fn decode_open_how_flags;
/* The mode argument counts: a file may be made. By where the flags are. */
bool open_how_makes_file(const struct decoder *d);
/* mknod(2), mknodat(2): the device counts. */

/* struct file_handle: open_by_handle_at(2); as name_to_handle_at(2) fills it. */
decode_fn decode_file_handle, decode_file_handle_filled, decode_handle_mount;
/* getcwd(2)'s buffer: empty where the result is. */
decode_fn decode_cwd;
/* O_* where no access mode is: dup3(2), pipe2(2), mq_attr. */
decode_fn decode_dup_flags;
/* How to synchronise, then flags: statx(2) */
decode_fn decode_statx_flags;

/* fcntl(2), fcntl64(2): the operations that only the latter has. */
bool fcntl_is_64(const struct decoder *d);
bool fcntl_is_long(const struct decoder *d);
/* A pointer to an offset of that many bytes, which the call moves: [5 => 15]; with BOTH. */
decode_fn decode_offset_change;
/*
 * What getxattr(2), listxattr(2) fill, as long as the result says; the length
 * is the buffer's, which may be 0 to ask for that.
 */
decode_fn decode_xattr_value, decode_xattr_list, decode_xattr_arg, decode_xattr_args;
/* How the ABI passes the offset of preadv2(2): struct abi has it. */
/* An offset whose upper half comes first: _llseek(2) */
decode_fn decode_llseek_offset;

/* Signal sets in a register: ssetmask(2); as results, behind what the number is. */
decode_fn decode_mask, decode_ret_mask, decode_ret_old_mask;
/* statfs(2): f_flags is filled in, as a flag of it says. */

/* Results of fcntl(2): the number, and in parentheses what it means. */
decode_fn decode_ret_fd_flags, decode_ret_open_flags, decode_ret_signo, decode_ret_lease,
	decode_ret_seals;

/* struct stat, in each of the ABI's forms: not shown in the order of memory. */
extern const struct type_ops type_stat, type_stat64, type_oldstat;
#define STRUCT_STAT    TYPE(type_stat)
#define STRUCT_STAT64  TYPE(type_stat64)
#define STRUCT_OLDSTAT TYPE(type_oldstat)
#define STRUCT_STATFS  BY_ABI(STRUCT(statfs_64), STRUCT(statfs_32))
/* What getdents(2) and getdents64(2) fill: a count of entries, unabbreviated each of them. */
decode_fn decode_dirents, decode_dirents64;
/* What readdir(2) fills, one entry; its count is shown only where that is not. */
/* statfs64(2), where the caller knows its size. */
decode_fn decode_statfs64;
decode_fn decode_old_dirent;
/* The times of utimensat(2): UTIME_NOW, UTIME_OMIT or a time. */
extern const struct type_ops type_utime;

/* The fields of statx(2) that stx_mask says are there. */

/* What the hatches above read of memory. */
extern const struct hatch_reads file_reads[];

extern const struct type_ops type_open_flags;
#define OPEN_FLAGS TYPE(type_open_flags, .width = W32)

extern const struct type_ops type_dup_flags;
#define DUP_FLAGS TYPE(type_dup_flags, .width = W32)

extern const struct type_ops type_statx_flags;
#define STATX_FLAGS TYPE(type_statx_flags, .width = W32)

extern const struct type_ops type_mask;
#define SIGNAL_MASK TYPE(type_mask, .width = W32)

extern const struct type_ops type_xattr_list;
#define XATTR_LIST(...) TYPE(type_xattr_list, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_xattr_value;
#define XATTR_VALUE(...) TYPE(type_xattr_value, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_dirents;
#define DIRENTS TYPE(type_dirents, .width = W_LONG)

extern const struct type_ops type_dirents64;
#define DIRENTS64 TYPE(type_dirents64, .width = W_LONG)

extern const struct type_ops type_file_handle;
#define FILE_HANDLE TYPE(type_file_handle, .width = W_LONG)

extern const struct type_ops type_ret_mask;
#define RET_MASK TYPE(type_ret_mask, .width = W_LONG)

extern const struct type_ops type_ret_old_mask;
#define RET_OLD_MASK TYPE(type_ret_old_mask, .width = W_LONG)

extern const struct type_ops type_ret_signo;
#define RET_SIGNO TYPE(type_ret_signo, .width = W_LONG)

extern const struct type_ops type_ret_fd_flags;
#define RET_FD_FLAGS TYPE(type_ret_fd_flags, .width = W_LONG)

extern const struct type_ops type_ret_open_flags;
#define RET_OPEN_FLAGS TYPE(type_ret_open_flags, .width = W_LONG)

extern const struct type_ops type_ret_lease;
#define RET_LEASE TYPE(type_ret_lease, .width = W_LONG)

extern const struct type_ops type_ret_seals;
#define RET_SEALS TYPE(type_ret_seals, .width = W_LONG)

#endif
