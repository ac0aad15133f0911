/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/calls.h"

#include <stdlib.h>
#include <string.h>

#include "linux/syscall_desc.h"
#include "query/eval.h"
#include "query/types.h"
#include "uring/ops.h"
#include "util/mem.h"

/* Returns an array with the known facts about each syscall. The caller frees it. */
static struct eval_row *rows_new(void)
{
	struct eval_row *rows = mem_zalloc(ROW_COUNT * sizeof(*rows));

	for (unsigned i = 0; i < syscall_desc_count; i++) {
		rows[i].classes = syscall_desc_classes(&syscall_descs[i]);
		rows[i].forms = types_of_row(&syscall_descs[i]);
	}
	return rows;
}

static bool may_be_true(const struct query *q, const struct eval_row *rows, const struct abi *abi,
			uint64_t nr, int row)
{
	const struct eval_row unknown = {.any = nr == UINT64_MAX};
	attr_cleanup(mem_free_ptr) char *name = NULL;
	struct syscall_event e = {.abi = abi, .row = row, .base = {.nr = nr, .abi = abi->index}};
	const struct query_subject s = {.base = &e.base, .call = &e};

	if (row < 0)
		name = mem_printf("syscall_%#llx", (unsigned long long)nr);
	else
		name = mem_printf("%s%s", syscall_descs[row].name,
				  abi_is_foreign(abi, nr) ? "#64" : "");
	e.base.name = name;
	return eval_node(q->root, &s, row < 0 ? &unknown : &rows[row]) != TRUTH_NO;
}

/* Does the same as may_be_true() for a number in a set of syscalls. */
static bool call_may_match(const struct query *q, const struct eval_row *rows,
			   const struct abi *abi, unsigned set_nr)
{
	const uint64_t nr = abi_kernel_number(abi, set_nr), same = abi->nr_mask | set_nr;
	const int row = abi_row(abi, same);

	/* If the numbers differ, a program can nevertheless make a call with the number `same`. */
	return may_be_true(q, rows, abi, nr, row) ||
	       (nr != same && may_be_true(q, rows, abi, same, row));
}

static bool request_may_match(const struct query *q, const struct eval_row *rows, unsigned row)
{
	const struct eval_row unknown = {.any = true};
	const struct ring_request request = {0};
	struct syscall_event e = {.row = (int)row,
				  .base = {.kind = EVENT_OTHER,
					   .source = "io_uring",
					   .name = syscall_descs[row].name,
					   .request = &request}};
	const struct query_subject s = {.base = &e.base, .call = &e};

	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		e.base.abi = abi;
		e.abi = &abis[abi];
		if (eval_node(q->root, &s, row == ROW_io_uring_unknown ? &unknown : &rows[row]) !=
		    TRUTH_NO)
			return true;
	}
	return false;
}

void query_rows(const struct query *q, uint8_t *set)
{
	struct eval_row *rows = rows_new();

	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned nr = 0; nr < SYSCALL_SET_MAX; nr++) {
			const int row = abi_row(&abis[i], abis[i].nr_mask | nr);

			if (row >= 0 && !(set[row / 8] >> row % 8 & 1) &&
			    call_may_match(q, rows, &abis[i], nr))
				set[row / 8] |= 1 << row % 8;
		}
	}
	for (unsigned row = 0; row < syscall_desc_count; row++)
		if (uring_has_row(row) && request_may_match(q, rows, row))
			set[row / 8] |= 1 << row % 8;
	free(rows);
}

void query_calls(const struct query *q, struct syscall_set *set)
{
	struct eval_row *rows = rows_new();

	syscall_set_fill(set, false);
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned nr = 0; nr < SYSCALL_SET_MAX; nr++)
			if (call_may_match(q, rows, &abis[i], nr))
				set->bits[i][nr / 64] |= UINT64_C(1) << nr % 64;
	}
	for (unsigned row = 0; row < syscall_desc_count; row++)
		if (uring_has_row(row) && request_may_match(q, rows, row))
			set->requests[row / 64] |= UINT64_C(1) << row % 64;
	/*
	 * Unknown syscall numbers cannot be enumerated. Evaluate the query once for all unknown
	 * numbers.
	 */
	set->beyond = may_be_true(q, rows, abi_native(), UINT64_MAX, -1);
	free(rows);
}

static bool is_by_call(const struct node *n)
{
	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		return is_by_call(n->a) && is_by_call(n->b);
	case NODE_NOT:
		return is_by_call(n->a);
	default:
		return n->field.kind == FIELD_NAME || n->field.kind == FIELD_CLASS;
	}
}

bool query_is_by_call(const struct query *q)
{
	return is_by_call(q->root);
}
