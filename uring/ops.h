/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts io_uring requests to calls: determines the call to which a request corresponds, and the
 * arguments of this call.
 */
#ifndef TRACER_URING_OPS_H
#define TRACER_URING_OPS_H

#include "linux/syscall_desc.h"

struct uring_sqe;

/* A request in the form of a call. */
struct uring_call {
	unsigned row;			 /* index in syscall_descs */
	uint8_t opcode;			 /* IORING_OP_* of linux/io_uring.h */
	uint64_t args[SYSCALL_ARGS_MAX]; /* the arguments, in the order of the row */
	/*
	 * The index of the argument that contains a slot of the ring's table of files instead of a
	 * descriptor, or -1 if there is no such argument.
	 */
	int fixed_arg;
	uint32_t slot;
	/* true if the request stores the new file in the ring's table of files and returns no
	 * descriptor */
	bool direct;
	/*
	 * if `direct` is set: the slot for the new file, or UINT32_MAX - 1 if the kernel chooses
	 * the slot
	 */
	uint32_t new_slot;
};

/*
 * The position and size in bytes of an argument in struct uring_sqe. If the request does not
 * contain the argument, size is 0.
 */
struct uring_place {
	uint8_t offset, size;
};

/*
 * Fills in places[] for requests with the given opcode. Returns the index in syscall_descs of the
 * corresponding call.
 */
unsigned uring_places(uint8_t opcode, struct uring_place places[SYSCALL_ARGS_MAX]);

struct uring_call uring_call_of(const struct uring_sqe *sqe);
/* Returns true if some io_uring requests are shown as the call of this row. */
bool uring_has_row(unsigned row);

#endif
