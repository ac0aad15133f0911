/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read plans of rows (capture/plan.h), derived from the types of arguments. Data that no type can
 * describe is decoded by custom decoders (called hatches in names): the functions and operations of
 * FN(), MEMFN() and STRUCTFN(). Each family of calls has a table of struct hatch_reads that lists
 * the memory that its custom decoders read.
 */
#ifndef TRACER_DECODE_CORE_PLAN_TYPES_H
#define TRACER_DECODE_CORE_PLAN_TYPES_H

#include "capture/plan.h"
#include "linux/syscall_desc.h"

/*
 * One read by a custom decoder, which may have several. fn, ops or cond identifies the decoder.
 *
 * Usually, `type` describes the read: the decoder reads an object of this type at the address in
 * its own number, or in argument arg - 1. If `type` has no length or no struct, those of the
 * decoder's type in the row are used.
 *
 * Other reads are described by n plan operations. In these, PLAN_ARGUMENT with the arg PLAN_OWN_ARG
 * is the decoder's own number, and indexes of operations refer to this list.
 */
struct hatch_reads {
	decode_fn *fn;		    /* the function of FN(), or NULL */
	const struct type_ops *ops; /* the operations of MEMFN() and STRUCTFN(), or NULL */
	bool (*cond)(const struct decoder *d); /* the condition of an argument, or NULL */
	unsigned arg;		 /* 1 + argument index, or 0 for the decoder's own number */
	const struct type *type; /* if NULL, reads and n are used */
	const struct plan_op *reads;
	unsigned n;
};
#define PLAN_OWN_ARG 0xff
/* clang-format off */
#define HATCH(f, ...)	      {.fn = (f), .type = &(const struct type)__VA_ARGS__}
#define HATCH_ARG(f, k, ...)  {.fn = (f), .arg = 1 + (k), .type = &(const struct type)__VA_ARGS__}
#define HATCH_COND(c, k, ...) {.cond = (c), .arg = 1 + (k), .type = &(const struct type)__VA_ARGS__}
#define HATCH_MEMORY(o, ...)  {.ops = &(o), .type = &(const struct type)__VA_ARGS__}
#define HATCH_OPS(f, ...)     {.fn = (f), .reads = (const struct plan_op[]){__VA_ARGS__}, \
			       .n = sizeof((const struct plan_op[]){__VA_ARGS__}) / sizeof(struct plan_op)}
/*
 * A plan operation for the memory at argument arg_. Its size is encoded in the request of ioctl(2),
 * argument 1.
 */
#define REQUEST_SIZE(arg_, limit_) {.arg = (arg_), .limit = (limit_), .count = {.source = PLAN_IOC_SIZE, .n = 1}}
/* clang-format on */

/*
 * The reads of all custom decoders, one list per family of calls. {0} ends each list, and NULL ends
 * the array.
 */
extern const struct hatch_reads *const hatch_families[];

/* The plans of all rows, created when first used. Running out of memory ends the program. */
struct plans;
struct plans *plans_create(void);
void plans_destroy(struct plans *s); /* s may be NULL */
/*
 * Returns the plan for the entry of a call or, if exiting, for its exit. desc is a row or a
 * variant. The plan is valid until plans_destroy(); desc must not be freed before that.
 */
const struct plan *plans_get(struct plans *s, const struct syscall_desc *desc,
			     const struct abi *abi, bool exiting);

#endif
