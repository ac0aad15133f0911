/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read plans of calls (capture/plan.h), derived from the types of arguments in the tables of
 * syscalls. Data that no type can describe is decoded by custom decoders: the functions and
 * operations in FN(), MEMFN() and STRUCTFN(). For each family of calls, a table of struct
 * custom_reads lists the memory that its custom decoders read.
 */
#ifndef TRACER_DECODE_CORE_PLAN_TYPES_H
#define TRACER_DECODE_CORE_PLAN_TYPES_H

#include "capture/plan.h"
#include "linux/syscall_desc.h"

/*
 * Memory that a custom decoder reads. fn, ops or cond identifies the decoder, which may have
 * several entries.
 *
 * Usually, `type` describes the memory: an object of this type is read. If arg is 0, the object's
 * address is the decoder's own number, which is the number that the decoder converts to a value.
 * Otherwise, the address is the argument with index arg-1. If `type` has no length or no struct,
 * the length or struct of the decoder's type in the table of syscalls is used. If `type` is {0},
 * the argument's type in the table of syscalls is used.
 *
 * Otherwise, n plan operations describe the memory. In these operations, PLAN_ARGUMENT with the arg
 * PLAN_OWN_ARG refers to the decoder's own number, and indexes refer to this list of operations.
 */
struct custom_reads {
	decode_fn *fn;		    /* the function of FN(), or NULL */
	const struct type_ops *ops; /* the operations of MEMFN() and STRUCTFN(), or NULL */
	bool (*cond)(const struct decoder *d); /* the condition of an argument, or NULL */
	unsigned arg;		 /* 1 + index of the argument, or 0 for the decoder's own number */
	const struct type *type; /* describes the memory; if NULL, `reads` and n describe it */
	const struct plan_op *reads;
	unsigned n;
};
#define PLAN_OWN_ARG 0xff
/* clang-format off */
#define CUSTOM(f, ...)	      {.fn = (f), .type = &(const struct type)__VA_ARGS__}
#define CUSTOM_ARG(f, k, ...)  {.fn = (f), .arg = 1 + (k), .type = &(const struct type)__VA_ARGS__}
/* the memory that argument k points to, according to its type in the table of syscalls */
#define CUSTOM_SAME(f, k)      {.fn = (f), .arg = 1 + (k), .type = &(const struct type){0}}
#define CUSTOM_COND(c, k, ...) {.cond = (c), .arg = 1 + (k), .type = &(const struct type)__VA_ARGS__}
#define CUSTOM_MEMORY(o, ...)  {.ops = &(o), .type = &(const struct type)__VA_ARGS__}
#define CUSTOM_OPS(f, ...)     {.fn = (f), .reads = (const struct plan_op[]){__VA_ARGS__}, \
			       .n = sizeof((const struct plan_op[]){__VA_ARGS__}) / sizeof(struct plan_op)}
/*
 * A plan operation that reads memory at argument arg_. The size is encoded in the request of
 * ioctl(2), which is argument 1.
 */
#define REQUEST_SIZE(arg_, limit_) {.arg = (arg_), .limit = (limit_), .count = {.source = PLAN_IOC_SIZE, .n = 1}}
/* clang-format on */

/*
 * The reads of all custom decoders: one list for each family of calls. A list ends with {0}, and
 * the array ends with NULL.
 */
extern const struct custom_reads *const custom_families[];

/*
 * The plans of all calls. A plan is created when it is first needed. tracer ends if it runs out of
 * memory.
 */
struct plans;
struct plans *plans_create(void);
void plans_destroy(struct plans *s); /* s may be NULL */
/*
 * Returns a call's plan for the entry or, if exiting is true, for the exit. desc is the call's row
 * in syscall_descs, or a variant. The plan is valid until plans_destroy(), and desc must remain
 * valid until then.
 */
const struct plan *plans_get(struct plans *s, const struct syscall_desc *desc,
			     const struct abi *abi, bool exiting);

#endif
