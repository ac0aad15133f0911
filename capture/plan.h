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
 *
 * A plan never reads less than decoding does, but it may read more. Where a row chooses between
 * types by a number (SWITCH), each read has that number as its condition, of such conditions within
 * each other only the inner one. Where a row says when a field or an argument exists (WHEN()), the
 * plan reads it in any case: what is read in vain then is one field's worth, and a condition of its
 * own for each would have to be evaluated by every engine, in the kernel too.
 */
#ifndef TRACER_CAPTURE_PLAN_H
#define TRACER_CAPTURE_PLAN_H

#include "defs.h"

struct arena;
struct memory;

/* What a read looks for at its place. */
enum plan_kind {
	PLAN_BYTES,   /* an array: `count` elements of `unit` bytes */
	PLAN_STRING,  /* a string with its NUL, at most `bound` bytes */
	PLAN_POINTERS /* an array of pointers with its final NULL, at most `bound` bytes */
};

/* Where a read begins. */
enum plan_place {
	PLAN_ARGUMENT, /* at the address in argument `arg` */
	PLAN_POINTER,  /* at the pointer that is `offset` bytes into each element of op `parent` */
	PLAN_BEHIND    /* `offset` bytes after the start of op `parent` */
};

/* Which limit of struct plan_limits shortens a read, besides its `bound`. */
enum plan_limit {
	PLAN_WHOLE,    /* no limit: a struct, a length, a set of signals */
	PLAN_PATH,     /* a file name */
	PLAN_TEXT,     /* a string that -s shortens */
	PLAN_DATA,     /* a buffer that -s shortens */
	PLAN_ELEMENTS, /* an array of which -s hides elements */
	PLAN_LISTED,   /* what a decoding function lists: -s does not say how much it looks at */
	PLAN_LIMITS
};

/* Where a number comes from. */
enum plan_source {
	PLAN_CONSTANT, /* it is n */
	PLAN_ARG,      /* it is argument n, of which the lower `width` bytes count */
	PLAN_IOC_SIZE, /* it is _IOC_SIZE (asm/ioctl.h) of argument n, a request of ioctl(2) */
	PLAN_ARG_INT,  /* as PLAN_ARG, but signed: nothing is read if it is negative */
	PLAN_RESULT,   /* it is the syscall's result: nothing is read if that is an error */
	PLAN_FIELD     /* it is the `width` bytes at `offset` in each element of op `op` */
};

/* A number that is known once all earlier reads of the plan were made. */
struct plan_number {
	uint8_t source; /* enum plan_source */
	uint8_t width;	/* in bytes: 1, 2, 4 or 8; 0 means 8 */
	int8_t op;	/* of PLAN_FIELD: the index of an earlier op */
	uint16_t offset;
	uint64_t n;
};

/* One read, or one for each element of its parent. */
struct plan_op {
	uint8_t kind;	 /* enum plan_kind */
	uint8_t place;	 /* enum plan_place */
	uint8_t limit;	 /* enum plan_limit */
	uint8_t arg;	 /* of PLAN_ARGUMENT: 0 is the first argument */
	uint8_t pointer; /* size of a pointer in the parent or in PLAN_POINTERS: 4 or 8 bytes */
	bool full;	 /* needed only for what is shown unabbreviated (-v) */
	uint8_t depth;	 /* set by plan_add(): how many reads must precede it in sequence */
	int8_t parent;	 /* index of an earlier op, or -1 */
	uint16_t offset; /* in bytes, see enum plan_place */
	/*
	 * Size of an element in bytes. 1 (or 0, the same) stands for bytes that have no elements:
	 * pointers and fields are then looked for once, counted from the first byte.
	 */
	uint32_t unit;
	uint32_t bound;		  /* at most so many bytes are read, 0: PLAN_BYTES_MAX */
	struct plan_number count; /* of PLAN_BYTES: number of elements */
	/* The op is skipped unless (condition & mask) == value; mask 0: it is never skipped. */
	struct plan_number condition;
	uint64_t mask, value;
};

#define PLAN_OPS_MAX   48
#define PLAN_BYTES_MAX (1u << 20) /* bytes of one read */
#define PLAN_DEPTH_MAX 6

struct plan {
	unsigned n;
	bool whole; /* there was room for every op that the types of the row need */
	struct plan_op ops[PLAN_OPS_MAX];
};

/* Bytes from an element of what op reads to the next one, in which pointers are looked for again.
 */
uint32_t plan_step(const struct plan_op *op);

/* Appends op and sets its depth. Returns its index, or -1 if there is no room. */
int plan_add(struct plan *p, struct plan_op op);

/* Limits of one run of a plan. */
struct plan_limits {
	uint32_t bytes[PLAN_LIMITS]; /* at most so many in one read, by enum plan_limit */
	uint32_t elements;	     /* at most so many of an array with PLAN_ELEMENTS */
	unsigned depth; /* at most so many reads of which each needs the one before; at least 1 */
	bool full;	/* make also those reads that only unabbreviated output (-v) needs */
	/*
	 * The reads only save later ones, so they may fetch more than decoding needs: a list of
	 * pointers is read in one piece even if it crosses pages, and strings of a list that are
	 * close to each other are one read, including the bytes between them.
	 */
	bool ahead;
};

/* One range that was read. */
struct plan_read {
	uint64_t addr;
	const uint8_t *bytes; /* `got` bytes, allocated from the arena of the run */
	size_t wanted, got;   /* in bytes */
	int error;	      /* why the byte after the last one could not be read: -errno, or 0 */
	/* Private to plan.c: the op, the element of the read `from` (or -1) that led here. */
	int op, from;
	uint32_t element;
	uint32_t last; /* of strings that are one read: where the last one begins, in bytes */
};

/* The syscall that a plan is run for. */
struct plan_call {
	struct memory *memory;
	const uint64_t *args; /* SYSCALL_ARGS_MAX registers */
	bool has_result;      /* false at the entry */
	bool big_endian;      /* struct arch of the machine that made the call */
	int64_t result;	      /* -errno for an error */
};

/*
 * Makes the reads of p, all those of one depth by one memory_read_batch(), and by one more for each
 * page that strings and lists go on in. Stores up to max of them in reads and returns their number.
 * Nothing is read through a pointer that could not be read.
 */
unsigned plan_run(const struct plan *p, const struct plan_call *call,
		  const struct plan_limits *limits, struct arena *arena, struct plan_read *reads,
		  unsigned max);

#endif
