/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the input as a query and evaluates it for an artificial syscall.
 *
 * fuzz: -max_len=512
 */
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "query/calls.h"
#include "query/query.h"
#include "query/registers.h"
#include "linux/syscall_desc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NUMBER 257 /* openat(2) on x86_64 */

/* Fills in values of most kinds that queries can read. */
static void make_event(struct syscall_event *e)
{
	struct arena *a = &e->arena;
	struct value *dir = value_fd(a, 3), *path = value_string(a, "../b\0x", 6), *known;
	struct value *list = value_array(a), *socket = value_new(a, VALUE_SOCKET, 1);

	path->flags |= VALUE_F_PATH;
	dir->str = "/srv";
	dir->len = 4;
	known = value_fd(a, 3);
	value_add_named(socket, "peer_address", value_address(a, 2, "\x7f\0\0\1", 4));
	value_add_named(socket, "peer_port", value_uint(a, 80));
	known->extra = socket;
	value_add(list, value_change(a, value_int(a, -1), value_uint(a, 2)));
	value_add(list, value_struct(a));
	e->base.args[0] = (struct arg){.name = "dirfd", .in = dir};
	e->base.args[1] = (struct arg){.name = "pathname", .in = path};
	e->base.args[2] =
		(struct arg){.name = "flags", .in = value_flags(a, &xlat_open_flags, 0x41)};
	e->base.args[3] = (struct arg){.name = "mode", .out = list};
	e->base.args[4] = (struct arg){.name = "fd", .in = known};
	known->known = dir;
	e->base.nargs = 5;
}

static bool meets(const struct syscall_event *e, const struct query_register *r)
{
	const uint64_t value = e->raw_args[r->reg];

	return ((value - r->min) & r->mask) <= r->span && (value & r->bits) == r->bits;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct syscall_event e = {.base = {.kind = EVENT_SYSCALL,
					   .name = "openat",
					   .nr = NUMBER,
					   .ret_kind = RET_VALUE,
					   .ret = 3},
				  .raw_args = {3, 0, 0x41}};
	char *text = malloc(size + 1);
	struct query_error error;
	struct syscall_set calls;
	struct query_registers registers;
	struct query *q;

	memcpy(text, data, size);
	text[size] = '\0';
	/*
	 * Skip regular expressions such as x{255}{255}, for which regcomp(3) needs unlimited time
	 * and memory.
	 */
	if (strstr(text, "}{") || strstr(text, "*{") || strstr(text, "+{"))
		goto out;
	e.abi = &abis[ABI_X86_64];
	e.row = abi_row(e.abi, NUMBER);
	e.desc = e.row < 0 ? NULL : &syscall_descs[e.row];
	q = query_new(text, &error);
	if (!q) {
		if (!error.message || error.start > size)
			abort();
		free(error.message);
		free(error.meant);
		goto out;
	}
	make_event(&e);
	query_eval_call(q, &e, false, NULL);
	/*
	 * If the query is true for a syscall, the set of syscalls of the query must contain the
	 * number of this syscall, and the registers must meet the query's conditions.
	 */
	if (query_eval_call(q, &e, true, NULL) == TRUTH_YES) {
		query_calls(q, &calls);
		if (!syscall_set_has(&calls, e.abi, NUMBER))
			abort();
		query_registers(q, e.abi, (unsigned)e.row, &registers);
		for (size_t i = 0; i < registers.n; i++)
			if (!meets(&e, &registers.of[i]))
				abort();
	}
	query_free(q);
	arena_reset(&e.arena);
out:
	free(text);
	return 0;
}
