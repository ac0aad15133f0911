/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hatches for ioctl requests of btrfs, <linux/btrfs.h>, <linux/btrfs_tree.h>. */
#ifndef TRACER_DECODE_DEVICE_DEVICE_BTRFS_H
#define TRACER_DECODE_DEVICE_DEVICE_BTRFS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* A pointer to the flags of a subvolume, a 64-bit number. */
decode_fn btrfs_subvol_flags;
/* Compatible features: flags, of which no kernel has defined any yet. */
decode_fn btrfs_compat;
/* Three sets of features: supported, safe to set, safe to clear. */
decode_fn btrfs_supported_features;
/* struct btrfs_ioctl_balance_args, at the entry and at the exit. */
decode_fn btrfs_balance_entry, btrfs_balance_exit;
/* A number of thousandths with its percentage: 500 / * 50.0% * /. */
decode_fn btrfs_per_mille;
/* The flags of a space of struct btrfs_ioctl_space_info. */
decode_fn btrfs_space_flags;
/*
 * Elements of struct btrfs_data_container: a path, which is found by its offset in val, and the
 * list of inodes, of three numbers each.
 */
decode_fn btrfs_path, btrfs_inode_list;
/* The items found by a tree search. The search key's nr_items is their number. */
extern const struct type_ops type_btrfs_items;
/* Counters with their names: [[BTRFS_DEV_STAT_WRITE_ERRS]=0, ...]. */
extern const struct type_ops type_btrfs_stats;

/* Condition of a field: true if the caller passed 0 as treeid, so the exit shows the one stored. */
bool btrfs_treeid_was_asked(const struct decoder *d);

/* The memory reads of the functions above (decode/core/plan_types.h). */
extern const struct hatch_reads btrfs_reads[];

#endif
