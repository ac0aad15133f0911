/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The read plan of a row (capture/plan.h) is derived from the types of its arguments. For a hatch,
 * a function that decodes what no type describes, its family lists in a table of struct hatch_reads
 * what it reads.
 */
#ifndef TRACER_DECODE_CORE_PLAN_TYPES_H
#define TRACER_DECODE_CORE_PLAN_TYPES_H

#include "capture/plan.h"
#include "linux/syscall_desc.h"

/*
 * One thing that a hatch reads; a hatch may have several of them. fn, ops or cond says which hatch.
 *
 * Usually a type says what is read: a thing of this type, at the address that is the hatch's own
 * number, or in argument arg - 1. If the type has no length, or no struct, that of the hatch's type
 * in the row is meant.
 *
 * What no type can say is a list of n operations of a plan. In them PLAN_ARGUMENT with the arg
 * PLAN_OWN_ARG is the hatch's own number, and an index of an operation is one within this list.
 */
struct hatch_reads {
	decode_fn *fn;		    /* the function of FN(), or NULL */
	const struct type_ops *ops; /* the operations of MEMFN() and STRUCTFN(), or NULL */
	bool (*cond)(const struct decoder *d); /* the condition of an argument, or NULL */
	unsigned arg;			       /* 1 + argument; 0: the hatch's own number */
	const struct type *type;	       /* NULL: reads and n are used */
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
/* A read at argument arg_ - 1 of as many bytes as the request of ioctl(2), argument 1, has in it. */
#define REQUEST_SIZE(arg_, limit_) {.arg = (arg_), .limit = (limit_), .count = {.source = PLAN_IOC_SIZE, .n = 1}}
/* clang-format on */

/* What all hatches read: one list for each family, which ends in {0}. NULL is after the last. */
extern const struct hatch_reads *const hatch_families[];

/* The plans of all rows, each made when it is first asked for. Ends the program without memory. */
struct plans;
struct plans *plans_create(void);
void plans_destroy(struct plans *s); /* NULL is fine */
/*
 * The plan for what desc, a row or a variant, decodes at the entry of a call or, if exiting, at its
 * exit. s owns it until plans_destroy(). desc must live as long.
 */
const struct plan *plans_get(struct plans *s, const struct syscall_desc *desc,
			     const struct abi *abi, bool exiting);

#endif
