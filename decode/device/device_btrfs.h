/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ioctl requests of btrfs take, where rows do not say it: linux/btrfs.h, btrfs_tree.h. */
#ifndef TRACER_DECODE_DEVICE_BTRFS_H
#define TRACER_DECODE_DEVICE_BTRFS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The flags of a subvolume, where the argument points. */
decode_fn btrfs_subvol_flags;
/* Features that no kernel knows yet. */
decode_fn btrfs_compat;
/* Three sets of features: supported, safe to set, safe to clear. */
decode_fn btrfs_supported_features;
/* A struct at the entry and the exit, or its address twice. */
decode_fn btrfs_balance;
/* 500 / * 50.0% * /. */
decode_fn btrfs_per_mille;
/* The flags of a space. */
decode_fn btrfs_space_flags;
/* Of struct btrfs_data_container: a path, by its offset in val; inodes, by threes. */
decode_fn btrfs_path, btrfs_inode_list;
/* What a search found: as many items as its key's nr_items says. */
extern const struct type_ops type_btrfs_items;
/* Counters, by their names: [[BTRFS_DEV_STAT_WRITE_ERRS]=0, ...]. */
extern const struct type_ops type_btrfs_stats;

/* Of fields: whether they are there, or shown. */
/* At the exit if none was given. */
bool btrfs_shows_treeid(const struct decoder *d);
bool btrfs_has_spaces(const struct decoder *d);
bool btrfs_shows_min_objectid(const struct decoder *d);
bool btrfs_shows_max_objectid(const struct decoder *d);

/* What the hatches above read of memory. */
extern const struct hatch_reads btrfs_reads[];

#endif
