/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asynchronous I/O, see io_submit(2) and io_uring(7). */
#ifndef TRACER_DECODE_IO_AIO_H
#define TRACER_DECODE_IO_AIO_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* Fields of struct iocb. Their meaning depends on the operation and the flags. */
decode_fn decode_aio_opcode, decode_aio_priority, decode_aio_buf, decode_aio_resfd;
bool aio_has_offset(const struct decoder *d);

/*
 * struct io_uring_params: the members that the caller sets, and at exit the members that the kernel
 * stores. Use with BOTH.
 */
decode_fn decode_uring_params_entry, decode_uring_params_exit;
/* The ring for io_uring_register(2): a descriptor or the index of a registered ring. */
decode_fn decode_uring_fd;
/* struct io_uring_probe. The last argument is the number of operations in it. Use with BOTH. */
decode_fn decode_uring_probe_entry, decode_uring_probe_exit;
/*
 * Numbers of workers of each kind, before and after the call: [[IO_WQ_BOUND]=1] => …. Use with
 * BOTH.
 */
decode_fn decode_uring_workers_entry, decode_uring_workers_exit;
/* A CPU set, such as [0 2]. The last argument is its length in bytes. */
decode_fn decode_cpu_bits;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads aio_reads[];

extern const struct type_ops type_uring_fd;
#define URING_FD TYPE(type_uring_fd, .width = W32)

#endif
