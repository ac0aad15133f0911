/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* io_uring(7): the contents of the structs that are passed to io_uring_register(2). */
#ifndef TRACER_DECODE_IO_URING_H
#define TRACER_DECODE_IO_URING_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

decode_fn decode_uring_op; /* an operation, such as IORING_OP_NOP; shown in decimal if it has no
			      name */
decode_fn decode_uring_socket_op;   /* the command of an IORING_OP_URING_CMD on a socket */
decode_fn decode_uring_updated_fd;  /* a descriptor, or IORING_REGISTER_FILES_SKIP */
decode_fn decode_uring_restriction; /* the member `opcode` of struct io_uring_restriction, which
				       selects its union members */
decode_fn decode_uring_napi_param;
decode_fn decode_sqe_ioprio, decode_sqe_attr;
decode_fn decode_sqe_cmd; /* the last 64 bytes of a 128-byte io_uring_sqe */
/* A linked list of struct io_uring_query_hdr. Each is shown with the data that it requests. */
decode_fn decode_uring_query;

/*
 * Shows a number by its name in the table. If it has no name, shows it in decimal with a comment
 * that names the table.
 */
struct value *uring_number(struct decoder *d, const struct xlat *names, uint64_t n);

/*
 * Conditions for members of struct io_uring_sqe whose existence depends on the operation and on
 * whether the descriptor is a socket.
 */
bool sqe_is_socket_cmd(const struct decoder *d);
bool sqe_has_offset(const struct decoder *d);
/* A pointer to struct zcrx_ctrl (<linux/io_uring/zcrx.h>). Only ZCRX_CTRL_EXPORT returns data. */
decode_fn decode_zcrx_ctrl_entry, decode_zcrx_ctrl_exit;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads uring_reads[];

#endif
