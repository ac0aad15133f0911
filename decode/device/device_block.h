/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Custom decoders for ioctl requests of block devices, SCSI devices and file systems. */
#ifndef TRACER_DECODE_DEVICE_DEVICE_BLOCK_H
#define TRACER_DECODE_DEVICE_DEVICE_BLOCK_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * SG_IO: struct sg_io_hdr (<scsi/sg.h>) or struct sg_io_v4. The first member determines which
 * struct it is.
 */
decode_fn sg_io_entry, sg_io_exit;
/*
 * Fields of these two structs: bytes in hexadecimal, and the transferred data, which is in one
 * buffer or in an iovec.
 */
decode_fn sg_bytes, sg_data_entry, sg_data_exit, sg_data_in, sg_data_out;
/* SG_SCSI_RESET: [SG_SCSI_RESET_NO_ESCALATE|SG_SCSI_RESET_BUS]. */
decode_fn sg_reset;
/* The device in struct dm_ioctl (<linux/dm-ioctl.h>), and its name if set. */
decode_fn dm_device;
extern const struct type_ops type_dm_name;
/* Requests of the device mapper, shown as [struct dm_ioctl, the data that follows it]. */
decode_fn dm_ioctl_entry, dm_ioctl_exit;
/* HDIO_DRIVE_CMD: the sectors of data that follow the four status bytes. */
decode_fn hd_drive_data;
/*
 * The entries of struct ubi_rnvol_req (<mtd/ubi-user.h>). The struct's member `count` is their
 * number.
 */
extern const struct type_ops type_ubi_entries;
/* FIDEDUPERANGE: the struct of ioctl_fideduperange(2), and the results for each file. */
decode_fn dedupe_range_entry, dedupe_range_exit, dedupe_infos;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads block_reads[];

#endif
