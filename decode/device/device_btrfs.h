/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Custom decoders for ioctl requests of btrfs (<linux/btrfs.h>, <linux/btrfs_tree.h>). */
#ifndef TRACER_DECODE_DEVICE_DEVICE_BTRFS_H
#define TRACER_DECODE_DEVICE_DEVICE_BTRFS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* A pointer to the 64-bit flags of a subvolume. */
decode_fn btrfs_subvol_flags;
/* Flags for compatible features. No kernel has defined any such flag yet. */
decode_fn btrfs_compat;
/*
 * Three sets of feature flags: supported flags, flags that are safe to set, and flags that are safe
 * to clear.
 */
decode_fn btrfs_supported_features;
/* struct btrfs_ioctl_balance_args at entry and at exit. */
decode_fn btrfs_balance_entry, btrfs_balance_exit;
/* A number of thousandths, followed by the percentage as a comment: 500 / * 50.0% * /. */
decode_fn btrfs_per_mille;
/* The flags in struct btrfs_ioctl_space_info. */
decode_fn btrfs_space_flags;
/*
 * Elements of struct btrfs_data_container: a path, which is at an offset in the member `val`, and a
 * list of inodes, each of which consists of three numbers.
 */
decode_fn btrfs_path, btrfs_inode_list;
/* The items that a tree search found. nr_items in the search key is their number. */
extern const struct type_ops type_btrfs_items;
/* Counters with their names, such as [[BTRFS_DEV_STAT_WRITE_ERRS]=0, ...]. */
extern const struct type_ops type_btrfs_stats;

/*
 * Condition for a field: true if the caller passed 0 as treeid. At exit, the treeid that the kernel
 * stored is then shown.
 */
bool btrfs_treeid_was_zero(const struct decoder *d);

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads btrfs_reads[];

#endif
