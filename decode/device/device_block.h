/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ioctl requests of disks and of other block and SCSI devices take, where rows do not say it.
 */
#ifndef TRACER_DECODE_DEVICE_BLOCK_H
#define TRACER_DECODE_DEVICE_BLOCK_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* SG_IO: struct sg_io_hdr or struct sg_io_v4, told apart by their first number. */
decode_fn sg_io;
/* Of their fields: bytes, in hexadecimal; what is transferred, in one piece or by an iovec. */
decode_fn sg_bytes, sg_data, sg_data_in, sg_data_out;
/* SG_SCSI_RESET: [SG_SCSI_RESET_NO_ESCALATE|SG_SCSI_RESET_BUS]. */
decode_fn sg_reset;
/* Of struct dm_ioctl: a device or name, if there is one. */
decode_fn dm_device;
extern const struct type_ops type_dm_name;
/* Requests of the device mapper: [struct dm_ioctl, what lies behind it]. */
decode_fn dm_ioctl;
/* Of struct loop_info: whether what is about encryption is shown. */
bool loop_is_encrypted(const struct decoder *d);
/* HDIO_DRIVE_CMD: the sectors behind the status. */
decode_fn hd_drive_data;
/* Of a struct of UBI: count entries. */
extern const struct type_ops type_ubi_entries;
/* FIDEDUPERANGE, and of its struct, what becomes of each file. */
decode_fn dedupe_range, dedupe_infos;

/* What the hatches above read of memory. */
extern const struct hatch_reads block_reads[];

#endif
