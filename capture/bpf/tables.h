/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables that the programs work by, made from what is wanted. */
#ifndef TRACER_CAPTURE_BPF_TABLES_H
#define TRACER_CAPTURE_BPF_TABLES_H

#include "capture/bpf/records.h"
#include "linux/arch/abi.h"
#include "util/vec.h"

struct capture_wants;
struct plan;
struct plan_limits;

/* One entry a number, and the last for numbers beyond. */
#define CALLS (ABI_COUNT * CALLS_OF_ABI + 1)

struct tables {
	struct call_entry calls[CALLS];
	VEC(struct read_op) ops; /* [0] is not used */
	/* Two arrays of the same length. */
	VEC(struct variant_key) keys;
	VEC(struct variant_entry) variants;
};

/* Never NULL; tables_free() frees it. */
struct tables *tables_create(const struct capture_wants *wants);
void tables_free(struct tables *t);

/* Appends the reads of a plan (NULL: there are none). Returns READS(). */
uint32_t tables_add_plan(struct tables *t, const struct plan *p, const struct plan_limits *limits);

#endif
