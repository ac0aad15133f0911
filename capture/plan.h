/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The read plan: which memory of a tracee decoding one syscall will look at in one phase, known
 * before any value is built. Decoding prefetches by it, a recording keeps what it names, and an
 * engine in the kernel collects it.
 *
 * A plan is a list of reads (struct plan_op). A read begins where an argument points to, or where
 * a pointer within what an earlier read brought points to; its length is a constant, an argument,
 * the result, or a number within an earlier read. Plans are derived from the types of a row
 * (decode/core/plan_types.h); a decoding function that no type describes states its own.
 */
#ifndef TRACER_CAPTURE_PLAN_H
#define TRACER_CAPTURE_PLAN_H

#include "capture/memory.h"
#include "defs.h"
#include "util/mem.h"

/* What lies there. */
enum plan_kind {
	PLAN_BYTES,   /* count times unit bytes */
	PLAN_STRING,  /* bytes up to a NUL, which counts, bound at most */
	PLAN_POINTERS /* pointers up to one that is NULL, which counts, bound bytes at most */
};

/* Where it begins. */
enum plan_place {
	PLAN_ARGUMENT, /* argument `arg` is its address */
	PLAN_POINTER,  /* each element of op `parent` has its address, `offset` bytes from its start
			*/
	PLAN_BEHIND    /* it lies `offset` bytes behind the start of op `parent`'s range */
};

/* Which of the limits of a run shortens it, besides its bound. */
enum plan_limit {
	PLAN_WHOLE,    /* none: a struct, a length, a set of signals */
	PLAN_PATH,     /* a file name */
	PLAN_TEXT,     /* a string that -s shortens */
	PLAN_DATA,     /* a buffer that -s shortens */
	PLAN_ELEMENTS, /* an array, of which -s hides elements */
	PLAN_LIMITS
};

/* A number that is known once the reads before it were made. */
enum plan_source {
	PLAN_CONSTANT, /* n */
	PLAN_ARG,      /* argument n, of which the lower `width` bytes count */
	PLAN_IOC_SIZE, /* the size in argument n, a request of ioctl(2): _IOC_SIZE, asm/ioctl.h */
	PLAN_ARG_INT,  /* the same, as a signed number: below zero there is nothing to read */
	PLAN_RESULT,   /* the syscall's result: nothing is read where it is an error */
	PLAN_FIELD     /* `width` bytes in each element of op `op`, `offset` bytes from its start */
};

struct plan_number {
	uint8_t source; /* enum plan_source */
	uint8_t width;	/* bytes: 1, 2, 4 or 8; 0 is 8 */
	int8_t op;
	uint16_t offset;
	uint64_t n;
};

struct plan_op {
	uint8_t kind;	 /* enum plan_kind */
	uint8_t place;	 /* enum plan_place */
	uint8_t limit;	 /* enum plan_limit */
	uint8_t arg;	 /* register, 0 for the first argument */
	uint8_t pointer; /* bytes of a pointer, in the parent or in PLAN_POINTERS: 4 or 8 */
	bool full;	 /* read only for what is shown unabbreviated (-v) */
	uint8_t depth; /* filled in: the reads that must have been made before it, one after another
			*/
	int8_t parent; /* index of an earlier op, or -1 */
	uint16_t offset;
	uint32_t unit;		  /* bytes of an element */
	uint32_t bound;		  /* bytes at most, whatever the count says; 0: PLAN_BYTES_MAX */
	struct plan_number count; /* of elements */
	/* Read only if (number & mask) == value; mask 0: always. */
	struct plan_number condition;
	uint64_t mask, value;
};

#define PLAN_OPS_MAX   48
#define PLAN_BYTES_MAX (1u << 20) /* of one read */
#define PLAN_DEPTH_MAX 6

struct plan {
	unsigned n;
	bool whole; /* every op of the types had room in it */
	struct plan_op ops[PLAN_OPS_MAX];
};

/* Appends op, and fills in its depth; its index, or -1 where there is no room. */
int plan_add(struct plan *p, struct plan_op op);

/* What a run may take. */
struct plan_limits {
	uint32_t bytes[PLAN_LIMITS]; /* of one read, by its enum plan_limit */
	uint32_t elements;	     /* of an array of PLAN_ELEMENTS */
	unsigned depth;		     /* how many reads may hang on each other, at least 1 */
	bool full;		     /* with what is shown unabbreviated (-v) alone */
	bool to_the_page; /* no read crosses into another page than the one that it begins in */
};

/* One range that was read. */
struct plan_read {
	uint64_t addr;
	const uint8_t *bytes; /* `got` of them, in the arena of the run */
	size_t wanted, got;
	int error; /* -errno of the byte behind those, where reading it failed; else 0 */
	/* plan.c's own: the op, and the element of another read that led here, or -1. */
	int op, from;
	uint32_t element;
};

/* The call that a plan is run for. */
struct plan_call {
	struct memory *memory;
	const uint64_t *args; /* SYSCALL_ARGS_MAX registers */
	bool has_result;
	int64_t result; /* -errno for errors */
};

/*
 * Makes the reads of p, those of one depth in one call of memory_read_batch(), and puts up to max
 * of them into reads: how many. What lies behind an unreadable pointer is not read.
 */
unsigned plan_run(const struct plan *p, const struct plan_call *call,
		  const struct plan_limits *limits, struct arena *arena, struct plan_read *reads,
		  unsigned max);

#endif
