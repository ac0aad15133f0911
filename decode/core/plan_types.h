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
 * What a hatch reads. Its ops are those of a plan in which PLAN_ARGUMENT with arg PLAN_OWN_ARG
 * means the number that the hatch is given: the argument or field that it decodes. A count or a
 * condition on op PLAN_OWN_COUNT means the length in the hatch's type. Other indexes of ops are
 * those of this list.
 */
struct hatch_reads {
	decode_fn *fn;		    /* the function of FN(), or NULL */
	const struct type_ops *ops; /* or the operations of MEMFN() and STRUCTFN() */
	const struct plan_op *reads;
	unsigned n;
};
#define PLAN_OWN_ARG   0xff
#define PLAN_OWN_COUNT (-2)
#define HATCH(f, r)                                                                                \
	{                                                                                          \
		.fn = (f), .reads = (r), .n = ARRAY_SIZE(r)                                        \
	}
#define HATCH_OPS(o, r)                                                                            \
	{                                                                                          \
		.ops = &(o), .reads = (r), .n = ARRAY_SIZE(r)                                      \
	}

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
