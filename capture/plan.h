/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A read plan lists the memory of a tracee that decoding a syscall will read in one phase (entry or
 * exit). The plan is complete before any value is built. Decoding prefetches the memory in the
 * plan, the recorder stores it, and the BPF engine collects it in the kernel.
 *
 * A plan is a list of reads (struct plan_op). A read starts at the address in an argument, or at a
 * pointer in the data of an earlier read. The length of a read is a constant, an argument, the
 * syscall's result, or a number in the data of an earlier read. Plans are derived from the types of
 * a row (decode/core/plan_types.h). If no type describes the reads of a decoding function, the
 * function declares its own plan.
 *
 * A plan with `whole` set never reads less than decoding does, but may read more. If a row selects
 * one of several types by a number (SWITCH), the reads of each type are made only if the number
 * selects this type. If SWITCHes are nested, only the innermost SWITCH becomes a condition of the
 * read. Conditions for the existence of a field or an argument (WHEN()) are ignored. Reading an
 * unneeded field costs less than evaluating such a condition in every engine, including the engine
 * in the kernel.
 */
#ifndef TRACER_CAPTURE_PLAN_H
#define TRACER_CAPTURE_PLAN_H

#include "defs.h"

struct arena;
struct memory;

/* The kind of data to read. */
enum plan_kind {
	PLAN_BYTES,   /* `count` elements of `unit` bytes */
	PLAN_STRING,  /* a string with its NUL, at most `bound` bytes */
	PLAN_POINTERS /* an array of pointers with its final NULL, at most `bound` bytes */
};

/* The location at which a read starts. */
enum plan_place {
	PLAN_ARGUMENT, /* at the address in argument `arg` */
	PLAN_POINTER,  /* at the address in the pointer that is `offset` bytes into each element of
			  op `parent` */
	PLAN_RELATIVE  /* `offset` bytes after the start of the data of op `parent` */
};

/*
 * Selects an additional limit for a read: an index in plan_limits.bytes. The read's own `bound`
 * applies, too.
 */
enum plan_limit {
	/* no additional limit, for example for a struct, a length or a set of signals */
	PLAN_WHOLE,
	PLAN_PATH,     /* a file name */
	PLAN_TEXT,     /* a string; -s limits its length */
	PLAN_DATA,     /* a buffer; -s limits its length */
	PLAN_ELEMENTS, /* an array; -s limits the number of its elements */
	/*
	 * a buffer that a decoding function reads by itself, such as a message; the function may
	 * need more bytes than -s shows, so an engine that reads no memory later needs a higher
	 * limit than for PLAN_DATA
	 */
	PLAN_LISTED,
	PLAN_LIMITS
};

/* The source of a number. */
enum plan_source {
	PLAN_CONSTANT, /* the constant `n` */
	PLAN_ARG,      /* the lower `width` bytes of argument `n` */
	PLAN_IOC_SIZE, /* _IOC_SIZE (asm/ioctl.h) of argument `n`, which is an ioctl(2) request */
	PLAN_ARG_INT,  /* like PLAN_ARG, but signed; if the number is negative, nothing is read */
	PLAN_RESULT,   /* the syscall's result; if the result is an error, nothing is read */
	PLAN_FIELD     /* the `width` bytes at `offset` in each element of op `op` */
};

/* A number that can be computed when all earlier reads of the plan are complete. */
struct plan_number {
	uint8_t source; /* a value of enum plan_source */
	uint8_t width;	/* in bytes: 1, 2, 4 or 8; 0 means 8 */
	int8_t op;	/* for PLAN_FIELD: the index of an earlier op */
	uint16_t offset;
	uint64_t n;
};

/*
 * Describes one read, or one read for each element (PLAN_POINTER) or each read (PLAN_RELATIVE) of
 * the parent op.
 */
struct plan_op {
	uint8_t kind;	 /* a value of enum plan_kind */
	uint8_t place;	 /* a value of enum plan_place */
	uint8_t limit;	 /* a value of enum plan_limit */
	uint8_t arg;	 /* for PLAN_ARGUMENT: the index of the argument */
	uint8_t pointer; /* size in bytes of a pointer in the parent or in PLAN_POINTERS: 4 or 8 */
	bool full;	 /* true if the read is needed only with -v */
	uint8_t depth;	 /* set by plan_add(): the length of the chain of earlier reads that this
			    read depends on */
	int8_t parent;	 /* index of an earlier op, or -1 */
	uint16_t offset; /* in bytes, see enum plan_place */
	/*
	 * Size of an element in bytes; 0 or 1 if the data has no elements. In this case, offsets of
	 * pointers and fields are relative to the first byte of the data.
	 */
	uint32_t unit;
	uint32_t bound;		  /* the maximum length in bytes; 0 means PLAN_BYTES_MAX */
	struct plan_number count; /* for PLAN_BYTES: the number of elements */
	/*
	 * The op is skipped unless (condition & mask) == value. If mask is 0, the op is never
	 * skipped.
	 */
	struct plan_number condition;
	uint64_t mask, value;
};

#define PLAN_OPS_MAX   48
#define PLAN_BYTES_MAX (1u << 20) /* maximum number of bytes per read */
#define PLAN_DEPTH_MAX 6

struct plan {
	unsigned n;
	bool whole; /* false if plan_add() had to drop an op that the row's types need */
	struct plan_op ops[PLAN_OPS_MAX];
};

/* Returns the size in bytes of one element of the data that op reads. */
uint32_t plan_stride(const struct plan_op *op);
/* Returns the distance in bytes between consecutive elements of an op's data. */
uint32_t plan_step(const struct plan_op *op);

/*
 * Appends op to the plan and sets its depth. Returns the op's index, or -1 if the plan is full or
 * the depth too large.
 */
int plan_add(struct plan *p, struct plan_op op);

/* Limits for one run of a plan. */
struct plan_limits {
	/* The maximum length in bytes of one read, for each enum plan_limit. */
	uint32_t bytes[PLAN_LIMITS];
	uint32_t elements; /* the maximum number of elements of an array with PLAN_ELEMENTS */
	unsigned depth;	   /* the maximum length of a chain of reads in which each read needs the
			      data of the previous one; at least 1 */
	bool full;	   /* also make the reads that only -v needs */
	/*
	 * True if the reads are only a prefetch, so that they may read more memory than decoding
	 * needs. A list of pointers is then read at once, even if it crosses pages. Strings of a
	 * list that are close together are read at once, with the bytes between them.
	 */
	bool ahead;
};

/* A range of memory that was read. */
struct plan_read {
	uint64_t addr;
	const uint8_t *bytes; /* the first `got` bytes of the range, allocated from the arena of the
				 run */
	size_t wanted, got;   /* number of bytes to read, and number of bytes that were read */
	int error;	      /* -errno if the byte after `bytes` could not be read, otherwise 0 */
	/*
	 * Private to plan.c. `op` is the index of the op that this read belongs to. The address was
	 * taken from element `element` of the read with index `from`, or from an argument if `from`
	 * is -1.
	 */
	int op, from;
	uint32_t element;
	uint32_t last; /* if several strings were read at once: the offset of the last string in
			  `bytes` */
};

/* The syscall for which a plan is run. */
struct plan_call {
	struct memory *memory;
	const uint64_t *args; /* SYSCALL_ARGS_MAX registers */
	bool has_result;      /* false at syscall entry */
	bool big_endian;      /* true if the tracee's machine is big-endian, from struct arch */
	int64_t result;	      /* the syscall's result, or -errno if it failed */
};

/*
 * Makes the reads of p with memory_read_batch(): first the reads of depth 0, then those of depth 1,
 * and so on. Long strings and lists are read in parts. Parts of different reads share a batch, but
 * each part of the same read needs a further batch. Stores up to max reads in `reads` and returns
 * their number. If a pointer could not be read, the reads that depend on it are skipped.
 */
unsigned plan_run(const struct plan *p, const struct plan_call *call,
		  const struct plan_limits *limits, struct arena *arena, struct plan_read *reads,
		  unsigned max);

#endif
