/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/read_ahead.h"

#include "decode/core/plan_types.h"

void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p)
{
	uint32_t shown = size_min(d->config->string_limit, PREFETCH_BYTES - 1) + 1;
	const struct plan *plan;

	p->n = 0;
	d->prefetch = p;
	/* A single range costs the same whether it is read ahead or later. */
	if (!desc->nargs || !d->config->plans || d->mode & DECODE_NO_DEREF)
		return;
	plan = plans_get(d->config->plans, desc, d->abi, d->exiting);
	if (plan->n < 2)
		return;
	p->n = plan_run(plan,
			&(struct plan_call){
				.memory = d->memory,
				.args = d->ev->raw_args,
				.has_result = d->exiting,
				.result = d->ev->ret_kind == RET_VALUE ? d->ev->ret : -1,
			},
			&(struct plan_limits){
				.bytes = {[PLAN_WHOLE] = PREFETCH_BYTES,
					  [PLAN_PATH] = 256,
					  [PLAN_TEXT] = shown,
					  [PLAN_DATA] = shown,
					  [PLAN_ELEMENTS] = PREFETCH_BYTES,
					  [PLAN_LISTED] = shown},
				.elements = decode_full(d) ? UINT32_MAX : shown,
				.depth = 2,
				.full = decode_full(d),
				.to_the_page = true,
			},
			d->arena, p->reads, PREFETCH_MAX);
}
