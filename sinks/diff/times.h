/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time that each of two runs spent in each stack. */
#ifndef TRACER_SINKS_DIFF_TIMES_H
#define TRACER_SINKS_DIFF_TIMES_H

#include "sinks/diff/run.h"

struct stack_times {
	uint32_t stack; /* text "comm;outermost;…;leaf;SYSCALL" */
	uint64_t a[WEIGHTS], b[WEIGHTS];
};

struct times {
	VEC(struct stack_times) list;
};

/*
 * Computes the times of both runs. Stores the text of each stack in run.texts. *t must be {0}. The
 * caller frees it with vec_deinit(&t->list).
 */
void times_find(struct times *t, const struct run *a, const struct run *b);
/* Sorts by the increase of weight w from A to B, largest first. */
void times_sort(struct times *t, enum weight w);

#endif
