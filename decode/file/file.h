/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types of data of open(2), stat(2), fcntl(2) and similar calls that the common types cannot
 * describe. For decode_fn, see decode/core/type.h. The number n is the argument, field or result.
 * If the function reads memory, n is the address.
 */
#ifndef TRACER_DECODE_FILE_FILE_H
#define TRACER_DECODE_FILE_FILE_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * struct file_handle, both as an argument of open_by_handle_at(2) and as the result of
 * name_to_handle_at(2), and the mount id that name_to_handle_at(2) stores.
 */
decode_fn decode_file_handle;
decode_fn decode_file_handle_entry, decode_file_handle_exit;
decode_fn decode_handle_mount_entry, decode_handle_mount_exit;
/*
 * The path that getcwd(2) stores. The result of the call is the length of the path, including the
 * NUL.
 */
decode_fn decode_cwd;
/*
 * O_* flags without an access mode, for dup3(2), pipe2(2) and mq_attr. Zero is therefore not shown
 * as O_RDONLY.
 */
decode_fn decode_dup_flags;

/*
 * A pointer to an offset of t->len bytes. The call advances the offset: [5 => 15]. Use with BOTH.
 */
decode_fn decode_offset_entry, decode_offset_exit;
#define OFFSET_CHANGE(size)                                                                        \
	BY_PHASE(FN_LEN(decode_offset_entry, N(size)), FN_LEN(decode_offset_exit, N(size)))
/*
 * The data that getxattr(2) and listxattr(2) store. The result is the size of the data. t->len is
 * the size of the caller's buffer. If the buffer's size is 0, the call only returns the size of the
 * data. decode_xattr_args_* decode the struct xattr_args of getxattrat(2). decode_xattr_arg decodes
 * its field `value`, which points to such a buffer.
 */
decode_fn decode_xattr_list, decode_xattr_arg;
decode_fn decode_xattr_args_entry, decode_xattr_args_exit;
/*
 * The offset of _llseek(2). This argument is the upper half of the offset, and the next argument is
 * the lower half.
 */
decode_fn decode_llseek_offset;

/*
 * A signal set that is a 32-bit number: an argument of ssetmask(2), and the old set that
 * sgetmask(2) and ssetmask(2) return. The old set is shown after the result.
 */
decode_fn decode_mask;

/* The three versions of struct stat (<asm/stat.h>). Their members are not shown in memory order. */
extern const struct type_ops type_stat, type_stat64, type_oldstat;
#define STRUCT_STAT    TYPE(type_stat)
#define STRUCT_STAT64  TYPE(type_stat64)
#define STRUCT_OLDSTAT TYPE(type_oldstat)
#define STRUCT_STATFS  BY_ABI(STRUCT(statfs_64), STRUCT(statfs_32))
/*
 * The data that getdents(2) and getdents64(2) store. All entries are shown with -v, otherwise only
 * their number.
 */
decode_fn decode_dirents, decode_dirents64;
/*
 * The struct that statfs64(2) stores. If the caller passes a wrong size, the struct's address is
 * shown.
 */
decode_fn decode_statfs64;
/* The struct old_linux_dirent that readdir(2) stores. It contains a single entry. */
decode_fn decode_old_dirent;
/* A struct timespec of utimensat(2): a time, UTIME_NOW or UTIME_OMIT. */
extern const struct type_ops type_utime;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads file_reads[];

/* Types for the tables of syscalls. They use some of the functions above. */

extern const struct type_ops type_dup_flags;
#define DUP_FLAGS TYPE(type_dup_flags, .width = W32)

extern const struct type_ops type_mask;
#define SIGNAL_MASK TYPE(type_mask, .width = W32)

extern const struct type_ops type_xattr_list;
#define XATTR_LIST(...) TYPE(type_xattr_list, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_xattr_request, type_xattr_value;
#define XATTR_VALUE(...)                                                                           \
	BY_PHASE(TYPE(type_xattr_request, .width = W_LONG, .len = __VA_ARGS__),                    \
		 TYPE(type_xattr_value, .width = W_LONG, .len = __VA_ARGS__))

extern const struct type_ops type_dirents;
#define DIRENTS TYPE(type_dirents, .width = W_LONG)

extern const struct type_ops type_dirents64;
#define DIRENTS64 TYPE(type_dirents64, .width = W_LONG)

extern const struct type_ops type_file_handle;
#define FILE_HANDLE TYPE(type_file_handle, .width = W_LONG)

#endif
