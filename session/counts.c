/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/counts.h"

#include "capture/capture.h"
#include "linux/arch/abi.h"
#include "select/filter.h"
#include "session/programs.h"
#include "session/state.h"
#include "syscall.h"

void on_counts(struct session *s, const struct capture_counts *counts)
{
	const struct abi *abi = &abis[counts->abi];
	const uint64_t nr = counts->nr | abi->nr_mask;
	const int row = abi_row(abi, nr);
	struct counts_event e = {
		.call = {.base = {.kind = EVENT_COUNTS,
				  .abi = counts->abi,
				  .nr = nr,
				  .tid = counts->tid,
				  .tgid = counts->tgid,
				  .ret_kind = counts->error ? RET_ERROR : RET_VALUE,
				  .ret = counts->error},
			 .abi = abi,
			 .desc = row < 0 ? NULL : &syscall_descs[row],
			 .row = row,
			 .set_nr = nr},
		.octaves = counts->octaves,
		.noctaves = counts->noctaves,
		.calls = counts->calls,
		.errors = counts->errors,
		.bytes = counts->bytes,
		.wall = counts->wall,
		.cpu = counts->cpu};
	struct arena arena = {0};

	if (!filter_wants(&s->o->filter, abi, nr))
		return;
	e.call.base.name = syscall_name(&arena, abi, nr, row);
	programs_set(s->programs, &e.call.base, counts->execs);
	feed_event(&s->feed, &e.call.base);
	arena_reset(&arena);
}
