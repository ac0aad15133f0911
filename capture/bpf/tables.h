/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables that control the programs, created from struct capture_wants. */
#ifndef TRACER_CAPTURE_BPF_TABLES_H
#define TRACER_CAPTURE_BPF_TABLES_H

#include "capture/bpf/map_values.h"
#include "linux/arch/abi.h"
#include "util/vec.h"

struct capture_wants;
struct plan;
struct plan_limits;

/*
 * Number of entries in the table of calls: one for each call number below CALLS_OF_ABI in each ABI,
 * and a last entry for all other numbers.
 */
#define CALLS (ABI_COUNT * CALLS_OF_ABI + 1)

struct tables {
	struct call_entry calls[CALLS];
	struct request_entry requests[REQUEST_OPCODES];
	VEC(struct read_op) ops; /* element 0 is unused */
	/* Keys and values of the table of variants. Both arrays have the same length. */
	VEC(struct variant_key) keys;
	VEC(struct variant_entry) variants;
	VEC(struct call_conditions) conditions; /* element 0 has no conditions */
};

/*
 * Creates the tables for the calls that *wants describes. Never returns NULL. Free the result with
 * tables_free().
 */
struct tables *tables_create(const struct capture_wants *wants);
void tables_free(struct tables *t);

/* Appends the reads of plan p, which may be NULL. Returns a value made with READS(). */
uint32_t tables_add_plan(struct tables *t, const struct plan *p, const struct plan_limits *limits);

#endif
