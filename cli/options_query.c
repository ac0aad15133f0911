/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --where and its like: queries on the command line. */
#include "query/query.h"

#include <stdlib.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "query/calls.h"
#include "util/msg.h"

void options_where(struct options *o, const char *text)
{
	struct query *q = query_parse(text, "--where");
	attr_cleanup(mem_free_ptr) char *both = NULL;

	if (o->filter.where) {
		/* The texts are right by themselves, and so are they together. */
		both = mem_printf("(%s) && (%s)", query_text(o->filter.where), text);
		query_free(o->filter.where);
		query_free(q);
		q = query_parse(both, "--where");
	}
	o->filter.where = q;
}

static unsigned count(const struct syscall_set *set, unsigned abi)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SYSCALL_SET_MAX / 64; i++)
		n += (unsigned)__builtin_popcountll(set->bits[abi][i]);
	return n;
}

/* Leaves out of -e trace= what the expression is never true for. */
static void push_down(struct options *o)
{
	struct syscall_set calls, *trace = &o->filter.trace;

	query_calls(o->filter.where, &calls);
	for (unsigned i = 0; i < ABI_COUNT; i++)
		for (unsigned j = 0; j < SYSCALL_SET_MAX / 64; j++)
			trace->bits[i][j] &= calls.bits[i][j];
	trace->beyond &= calls.beyond;
	if (o->debug)
		msg("--where: %u of %u syscall numbers of %s can match",
		    count(&calls, abi_native()->index), SYSCALL_SET_MAX, abi_native()->name);
}

void options_query_apply(struct options *o, const struct seen *seen)
{
	if (!o->filter.where)
		return;
	o->query_needs |= query_needs(o->filter.where);
	if (o->query_needs & QUERY_NEEDS_FD_PATHS)
		o->decode.query_details |= FD_PATH;
	if (o->query_needs & QUERY_NEEDS_FD_SOCKETS)
		o->decode.query_details |= FD_SOCKET;
	if (o->query_needs & QUERY_NEEDS_PATHS)
		o->decode.resolve_paths = true;
	if (o->query_needs & QUERY_NEEDS_VERBOSE && syscall_set_is_full(&seen->abbrev))
		die("--where: a member in the expression is decoded only with -v/--no-abbrev");
	push_down(o);
}
