/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/read_ahead.h"

#include "decode/core/plan_types.h"
#include "linux/arch/arch.h"

#define LIST_BYTES 4096 /* maximum number of bytes to read from a list of pointers */

/*
 * Returns how many bytes of a string to read ahead: the bytes that are shown and one more, which
 * may be the terminating NUL.
 */
static uint32_t shown(const struct decoder *d)
{
	return size_min(d->config->string_limit, PREFETCH_TEXT - 1) + 1;
}

static void fill(struct decoder *d)
{
	struct prefetch *p = d->prefetch;
	const struct plan *plan = plans_get(d->config->plans, p->desc, d->abi, d->exiting);

	/* Do not read ahead a single range, because reading it later costs the same. */
	if (plan->n < 2)
		return;
	p->n = plan_run(plan,
			&(struct plan_call){
				.memory = d->memory,
				.args = d->ev->raw_args,
				.has_result = d->exiting,
				.big_endian = d->abi->arch->big_endian,
				.result = d->ev->base.ret_kind == RET_VALUE ? d->ev->base.ret : -1,
			},
			&(struct plan_limits){
				.bytes = {[PLAN_WHOLE] = PREFETCH_BYTES,
					  [PLAN_PATH] = 256,
					  [PLAN_TEXT] = shown(d),
					  [PLAN_DATA] = shown(d),
					  [PLAN_ELEMENTS] = PREFETCH_BYTES,
					  [PLAN_LISTED] = shown(d)},
				.elements = decode_full(d) ? UINT32_MAX : shown(d),
				.depth = 2,
				.full = decode_full(d),
				.ahead = true,
			},
			d->arena, p->reads, PREFETCH_MAX);
}

void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p)
{
	p->fill = d->config->plans && !(d->mode & DECODE_NO_DEREF) ? fill : NULL;
	p->desc = desc;
	p->n = 0;
	d->prefetch = p;
}

void decode_read_list(struct decoder *d, uint64_t addr, bool strings)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {addr};
	struct prefetch *p = d->prefetch;
	struct plan plan = {.whole = true};

	if (!p || !d->config->plans || decode_is_spent(d))
		return;
	p->fill = NULL;
	plan_add(&plan, (struct plan_op){.kind = PLAN_POINTERS,
					 .place = PLAN_ARGUMENT,
					 .limit = PLAN_ELEMENTS,
					 .pointer = d->abi->long_size,
					 .parent = -1});
	plan_add(&plan, (struct plan_op){.kind = PLAN_STRING,
					 .place = PLAN_POINTER,
					 .limit = PLAN_TEXT,
					 .pointer = d->abi->long_size});
	p->n = plan_run(&plan,
			&(struct plan_call){.memory = d->memory,
					    .args = args,
					    .big_endian = d->abi->arch->big_endian},
			&(struct plan_limits){
				.bytes = {[PLAN_ELEMENTS] = LIST_BYTES, [PLAN_TEXT] = shown(d)},
				.depth = strings ? 2 : 1,
				.ahead = true,
			},
			d->arena, p->reads, PREFETCH_MAX);
}
