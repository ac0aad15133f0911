/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The call that a request of an io_uring stands for, and its arguments. */
#ifndef TRACER_URING_OPS_H
#define TRACER_URING_OPS_H

#include "linux/syscall_desc.h"

struct uring_sqe;

/* A request as a call. */
struct uring_call {
	unsigned row;			 /* index in syscall_descs */
	uint8_t opcode;			 /* IORING_OP_* */
	uint64_t args[SYSCALL_ARGS_MAX]; /* in the order of the row's arguments */
	/*
	 * The index of the argument that is a slot of the ring's table of files in place of a
	 * descriptor, and the slot; or -1.
	 */
	int fixed_arg;
	uint32_t slot;
	bool direct;	   /* it returns no descriptor but places a file in that table */
	uint32_t new_slot; /* the slot for this file, or UINT32_MAX - 1 if the kernel chooses one */
};

/* Where an argument is in a struct uring_sqe, in bytes; size is 0 if it is not there. */
struct uring_place {
	uint8_t offset, size;
};

/* Sets the places of the arguments of an opcode. Returns the row of its requests. */
unsigned uring_places(uint8_t opcode, struct uring_place places[SYSCALL_ARGS_MAX]);

struct uring_call uring_call_of(const struct uring_sqe *sqe);
/* Returns whether any request is shown as the call of this row. */
bool uring_has_row(unsigned row);

#endif
