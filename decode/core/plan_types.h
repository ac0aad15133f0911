/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The read plan of a row (capture/plan.h), derived from the types of its arguments. A function
 * that decodes what no type describes says beside its declaration what it reads: struct
 * hatch_reads.
 */
#ifndef TRACER_DECODE_CORE_PLAN_TYPES_H
#define TRACER_DECODE_CORE_PLAN_TYPES_H

#include "capture/plan.h"
#include "linux/syscall_desc.h"

/*
 * What a hatch reads, best said by a type: what lies where the number that the hatch is given
 * points to, or with arg set where that argument points to. A length of the type that is left out
 * is the hatch's own, and so is a struct. One hatch may have several of these.
 *
 * What no type says are ops of a plan: PLAN_ARGUMENT with arg PLAN_OWN_ARG means the hatch's
 * number; indexes of ops are those of the list.
 */
struct hatch_reads {
	decode_fn *fn;			       /* the function of FN(), or NULL */
	const struct type_ops *ops;	       /* or the operations of MEMFN() and STRUCTFN() */
	bool (*cond)(const struct decoder *d); /* or the condition of an argument, with arg */
	unsigned arg;			       /* 1 + argument; 0: the hatch's own number */
	const struct type *type;	       /* or NULL: then n ops */
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
/* As many bytes as argument 1, a request of ioctl(2), says. */
#define REQUEST_SIZE(arg_)    {.arg = (arg_), .limit = PLAN_DATA, .count = {.source = PLAN_IOC_SIZE, .n = 1}}
/* clang-format on */

/* What all hatches read: a list for each family, each of them ending in {0}; NULL ends it. */
extern const struct hatch_reads *const hatch_families[];

/*
 * The plan for what desc, a row or a variant selected for its arguments, decodes at the entry or
 * at the exit.
 */
void plan_of_row(struct plan *p, const struct syscall_desc *desc, const struct abi *abi,
		 bool exiting);

/* Plans by row, made when they are first asked for. */
struct plans;
struct plans *plans_create(void);
void plans_destroy(struct plans *s); /* NULL is fine */
/* The plan of plan_of_row(), kept until plans_destroy(). desc lives as long. */
const struct plan *plans_get(struct plans *s, const struct syscall_desc *desc,
			     const struct abi *abi, bool exiting);

#endif
