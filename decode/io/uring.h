/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* io_uring(7): the contents of the structs of io_uring_register(2). */
#ifndef TRACER_DECODE_IO_URING_H
#define TRACER_DECODE_IO_URING_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

decode_fn decode_uring_op;	    /* IORING_OP_NOP; a number without a name is shown in decimal */
decode_fn decode_uring_socket_op;   /* the command of IORING_OP_URING_CMD for a socket */
decode_fn decode_uring_updated_fd;  /* a descriptor, or IORING_REGISTER_FILES_SKIP */
decode_fn decode_uring_restriction; /* the member of struct io_uring_restriction that is used */
decode_fn decode_uring_napi_param;
decode_fn decode_sqe_ioprio, decode_sqe_attr;
decode_fn decode_sqe_cmd; /* the second 64 bytes of a 128-byte io_uring_sqe */
/* The linked list of struct io_uring_query_hdr, each with the data that it requests. */
decode_fn decode_uring_query;

/*
 * Shows a number as its name in the table. A number without a name is shown in decimal, with a
 * comment that names the table.
 */
struct value *uring_number(struct decoder *d, const struct xlat *names, uint64_t n);

/* Conditions for members of struct io_uring_sqe, which depend on the operation and flags. */
bool sqe_is_socket_cmd(const struct decoder *d);
bool sqe_has_offset(const struct decoder *d);
/* A pointer to struct zcrx_ctrl, <linux/io_uring/zcrx.h>. Only ZCRX_CTRL_EXPORT returns data. */
decode_fn decode_zcrx_ctrl_entry, decode_zcrx_ctrl_exit;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct hatch_reads uring_reads[];

#endif
