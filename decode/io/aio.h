/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asynchronous input and output: io_submit(2), io_uring(7). */
#ifndef TRACER_DECODE_AIO_H
#define TRACER_DECODE_AIO_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* Fields of struct iocb whose meaning, or being there, hangs on the operation and the flags. */
decode_fn decode_aio_opcode, decode_aio_priority, decode_aio_buf, decode_aio_resfd;
bool aio_has_priority(const struct decoder *d);
bool aio_has_buf(const struct decoder *d);
bool aio_has_range(const struct decoder *d);
bool aio_has_offset(const struct decoder *d);
bool aio_has_resfd(const struct decoder *d);

/* struct io_uring_params: what the caller sets, at exit what the kernel adds; with BOTH. */
decode_fn decode_uring_params;
/* io_uring_enter(2): its last argument is a signal set, a struct, or an offset of a registered one.
 */
/* The ring of io_uring_register(2): an fd, or an index of registered ones. */
decode_fn decode_uring_fd;
/* IORING_REGISTER_FILES|IORING_REGISTER_USE_REGISTERED_RING */
decode_fn decode_uring_register_op;
/* struct io_uring_probe with as many operations as the last argument says; with BOTH. */
decode_fn decode_uring_probe;
/* Counts of workers by kind, before and after: [[IO_WQ_BOUND]=1] => …; with BOTH. */
decode_fn decode_uring_workers;
/* Operations whose argument is one struct, if the last argument says 1. */
/* A set of CPUs as long as the last argument says: [0 2] */
decode_fn decode_cpu_bits;

/* What the hatches above read of memory. */
extern const struct hatch_reads aio_reads[];

extern const struct type_ops type_uring_register_op;
#define URING_REGISTER_OP TYPE(type_uring_register_op, .width = W32)

extern const struct type_ops type_uring_fd;
#define URING_FD TYPE(type_uring_fd, .width = W32)

#endif
