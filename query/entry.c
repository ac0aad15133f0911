/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/entry.h"

#include "query/fields.h"
#include "query/node.h"
#include "query/query.h"
#include "query/types.h"
#include "util/mem.h"

/* Returns true if the argument is known at entry for any syscall in `set`. */
static bool has_argument(const struct syscall_set *set, const char *name)
{
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned nr = 0; nr < SYSCALL_SET_MAX; nr++) {
			const int row = abi_row(&abis[i], abis[i].nr_mask | nr);

			if (row >= 0 && syscall_set_has(set, &abis[i], nr) &&
			    types_enters(&syscall_descs[row], name))
				return true;
		}
	}
	return false;
}

static bool is_known(const struct field_ref *f, const struct syscall_set *set)
{
	if (f->kind == FIELD_ARGUMENT)
		return has_argument(set, f->argument);
	return !(field_desc_of(f->kind)->needs & QUERY_NEEDS_RESULT) && f->kind != FIELD_SIGNAL;
}

/* Returns the first field in the tree that is never known at syscall entry, or NULL. */
static const struct field_ref *find_unknown(const struct node *n, const struct syscall_set *set)
{
	const struct field_ref *f;

	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		f = find_unknown(n->a, set);
		return f ? f : find_unknown(n->b, set);
	case NODE_NOT:
		return find_unknown(n->a, set);
	default:
		return is_known(&n->field, set) ? NULL : &n->field;
	}
}

void query_check_entry(const struct query *q, const struct syscall_set *set, const char *what)
{
	const struct field_ref *f = find_unknown(q->root, set);
	struct query_error error = {0};

	if (!f)
		return;
	error.message = mem_printf("'%.*s' is not known when these calls begin", (int)f->place.len,
				   q->text + f->place.start);
	error.start = f->place.start;
	error.len = f->place.len;
	query_die(q->text, what, &error);
}
