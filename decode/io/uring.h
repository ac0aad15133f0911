/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* io_uring(7): what io_uring_register(2)'s structs hold. */
#ifndef TRACER_DECODE_URING_H
#define TRACER_DECODE_URING_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

decode_fn decode_uring_op;	    /* IORING_OP_NOP; a number without a name is decimal */
decode_fn decode_uring_updated_fd;  /* or the mark of one that stays */
decode_fn decode_uring_restriction; /* what it is about; without a name, the operation as well */
decode_fn decode_uring_napi_param;
decode_fn decode_sqe_ioprio, decode_sqe_attr;
decode_fn decode_sqe_cmd; /* what a command of twice the size has behind it */
/* A list of struct io_uring_query_hdr, each with what was asked for. */
decode_fn decode_uring_query;

/* An argument that is there once, or in no number: one struct. */

/* struct io_uring_sqe: what the operation's flags are, and what follows. */
bool sqe_is_nop(const struct decoder *d);
bool sqe_is_msg_ring(const struct decoder *d);
bool sqe_is_install_fd(const struct decoder *d);
bool sqe_has_rw_flags(const struct decoder *d);
bool sqe_has_attr(const struct decoder *d);
bool sqe_has_optval(const struct decoder *d);
bool sqe_is_long(const struct decoder *d);
/* struct io_uring_params for new sizes of rings: addresses that were given. */
/* struct zcrx_ctrl: what its operation has. */
/* All of it; only the export answers. */
decode_fn decode_zcrx_ctrl;

/* What the hatches above read of memory. */
extern const struct hatch_reads uring_reads[];

#endif
