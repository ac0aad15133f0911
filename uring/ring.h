/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the two queues that an io_uring shares with the kernel (io_uring(7)) from the memory of the
 * process. The process can write any data to that memory. Every number is therefore checked before
 * it is used, and a ring with invalid numbers is refused.
 */
#ifndef TRACER_URING_RING_H
#define TRACER_URING_RING_H

#include "capture/memory.h"

/* The largest queue sizes that the kernel supports: IORING_MAX_ENTRIES, IORING_MAX_CQ_ENTRIES. */
#define URING_SQ_MAX 32768u
#define URING_CQ_MAX 65536u

/* The flags of io_uring_setup(2) that are used here, with the kernel's values. */
enum {
	URING_SQPOLL = 1 << 1,
	URING_SQE128 = 1 << 10,
	URING_CQE32 = 1 << 11,
	URING_NO_MMAP = 1 << 14,
	URING_REGISTERED_FD_ONLY = 1 << 15,
	URING_NO_SQARRAY = 1 << 16,
	URING_CQE_MIXED = 1 << 18,
	URING_FLAGS_KNOWN = (1 << 19) - 1
};

/* struct io_uring_params of linux/io_uring.h. Only the members that are used here have names. */
struct uring_params {
	uint32_t sq_entries, cq_entries, flags, unused[7];
	struct {
		uint32_t head, tail, unused[4], array, unused2;
		uint64_t user_addr;
	} sq;
	struct {
		uint32_t head, tail, unused[3], cqes, unused2[2];
		uint64_t user_addr;
	} cq;
};

/*
 * The first 64 bytes of struct io_uring_sqe in linux/io_uring.h. For each union there, this struct
 * has one member.
 */
struct uring_sqe {
	uint8_t opcode, flags;
	uint16_t ioprio;
	int32_t fd;
	uint64_t off, addr;
	uint32_t len, op_flags;
	uint64_t user_data;
	uint16_t buf_index, personality;
	uint32_t file_index;
	uint64_t addr3, unused;
};

struct uring_cqe {
	uint64_t user_data;
	int32_t res;
	uint32_t flags;
};

enum {
	URING_SQE_FIXED_FILE = 1 << 0,
	URING_SQE_LINK = 1 << 2,
	URING_SQE_HARDLINK = 1 << 3,
	URING_SQE_CQE_SKIP = 1 << 6
};
enum {
	URING_CQE_BUFFER = 1 << 0,
	URING_CQE_MORE = 1 << 1,
	URING_CQE_NOTIF = 1 << 3,
	URING_CQE_SKIP = 1 << 5,
	URING_CQE_32 = 1 << 15
};

/*
 * The addresses of a ring's queues in the memory of the process, and the positions up to which the
 * queues have been read.
 */
struct uring_ring {
	uint32_t flags; /* flags of io_uring_setup(2) */
	uint32_t sq_entries, cq_entries;
	/* Addresses in the memory of the process. `array` is unused with URING_NO_SQARRAY. */
	uint64_t sq_head, sq_tail, array, sqes;
	uint64_t cq_tail, cqes;
	uint32_t sq_next; /* position in the submission queue of the next request to read */
	uint32_t cq_next; /* position in the completion queue of the next completion to read */
	/* true if cq_next is in the second half of a 32-byte completion (URING_CQE_MIXED) */
	bool second_half;
};

/* The addresses at which a process has mapped the parts of a ring; 0 if unknown. */
struct uring_maps {
	uint64_t sq, cq, sqes;
	uint64_t sqes_size; /* size of the mapping of sqes in bytes */
	bool sqpoll;	    /* true if a kernel thread takes the requests from the queue */
};

/*
 * The offsets in bytes at which the kernel places the parts of a ring, as in struct uring_params.
 */
struct uring_layout {
	uint64_t sq_head, sq_tail, sq_entries, cq_tail, cq_entries, cqes;
};

/*
 * Initializes *r for a ring that has not been used yet. p contains the parameters that
 * io_uring_setup() has filled in. With URING_NO_MMAP, maps is not used. Returns NULL on success. If
 * the requests of the ring cannot be read, returns the reason, a text that can end a message.
 */
const char *uring_ring_init(struct uring_ring *r, const struct uring_params *p,
			    const struct uring_maps *maps);
/*
 * Does the same as uring_ring_init() for a ring that was created before tracer attached. Uses the
 * memory of the ring, and the layout of another ring of this kernel. Skips requests that the kernel
 * has already taken, and completions that are already in the ring. Cannot recognize rings with
 * 32-byte completions (IORING_SETUP_CQE32), or rings with fewer than 64 requests of 128 bytes.
 */
const char *uring_ring_find(struct uring_ring *r, struct memory *m, const struct uring_maps *maps,
			    const struct uring_layout *layout);

/*
 * Calls take(ctx, position, sqe) for each request that was added to the submission queue since the
 * last call, but for at most max requests. Returns the number of requests, including those that
 * were skipped because their index is invalid or they cannot be read.
 */
unsigned uring_read_submissions(struct uring_ring *r, struct memory *m, uint32_t max,
				void (*take)(void *ctx, uint32_t at, const struct uring_sqe *sqe),
				void *ctx);
/*
 * Sets *head to the position after the last request that the kernel has taken. Returns false if the
 * memory cannot be read, or if the position is invalid.
 */
bool uring_read_head(struct uring_ring *r, struct memory *m, uint32_t *head);
/* Returns true if position a is before position b. Positions wrap around. */
static inline bool uring_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

/*
 * Calls take(ctx, cqe) for each completion since the last call, even if the program has already
 * consumed it. Reads at most *max entries, and subtracts their number from *max. The next call
 * reads the remaining entries. Returns the number of completions that the kernel overwrote before
 * they could be read.
 */
unsigned uring_read_completions(struct uring_ring *r, struct memory *m, uint32_t *max,
				void (*take)(void *ctx, const struct uring_cqe *cqe), void *ctx);

#endif
