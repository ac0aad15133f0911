/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/tables.h"

#include <stdlib.h>
#include <string.h>

#include "capture/bpf/reads.h"
#include "capture/wants.h"

static uint32_t flags_of(const struct wanted_call *call)
{
	static const uint32_t args[] = {[WANTED_AT_ARG_0] = CALL_AT_ARG_0,
					[WANTED_AT_ARG_1] = CALL_AT_ARG_1,
					[WANTED_SHIFTED] = CALL_SHIFTED};

	return CALL_WANTED | (call->stack ? CALL_STACK : 0) | (call->renames ? CALL_RENAMES : 0) |
	       (call->new_program ? CALL_NEW_PROGRAM : 0) | (call->no_args ? CALL_NO_ARGS : 0) |
	       (call->reread ? CALL_REREAD : 0) | (call->drops ? CALL_DROPS : 0) |
	       (call->bytes ? CALL_BYTES : 0) | args[call->args];
}

uint32_t tables_add_plan(struct tables *t, const struct plan *p, const struct plan_limits *limits)
{
	struct read_op ops[READS_OF_ONE];
	uint32_t first = t->ops.n;
	unsigned n;
	bool whole;

	if (!p)
		return 0;
	n = reads_of_plan(p, limits, ops, &whole);
	if (!n)
		return 0;
	/* Consecutive plans are often equal. Equal plans share one set of reads. */
	if (first > n && !memcmp(&t->ops.v[first - n], ops, n * sizeof(*ops)))
		return READS(first - n, n);
	for (unsigned i = 0; i < n; i++)
		*vec_push(&t->ops) = ops[i];
	return READS(first, n);
}

/*
 * Returns the index of a call's conditions in the table of conditions. Calls with equal conditions
 * share an entry. Returns 0 if there are no conditions.
 */
static uint32_t add_conditions(struct tables *t, const struct wanted_call *call)
{
	struct call_conditions conditions = {0};

	_Static_assert(CONDITIONS_MAX == WANTED_ARGUMENTS_MAX, "the same number");
	for (unsigned i = 0; i < call->nconditions && i < CONDITIONS_MAX; i++) {
		const struct wanted_argument *a = &call->conditions[i];

		conditions.of[i] =
			(struct arg_condition){a->arg, a->mask, a->min, a->span, a->bits};
	}
	/* The first entry has no conditions. */
	for (uint32_t i = 0; i < t->conditions.n; i++)
		if (!memcmp(&t->conditions.v[i], &conditions, sizeof(conditions)))
			return i;
	*vec_push(&t->conditions) = conditions;
	return (uint32_t)t->conditions.n - 1;
}

static void add_call(struct tables *t, const struct wanted_call *call, struct call_entry *entry)
{
	*entry = (struct call_entry){.flags = flags_of(call),
				     .fds = (uint16_t)call->fds,
				     .enter = tables_add_plan(t, call->enter, call->limits),
				     .leave = tables_add_plan(t, call->leave, call->limits),
				     .conditions = add_conditions(t, call)};
}

static void add_variant(struct tables *t, const struct wanted_call *call, struct call_entry *entry)
{
	unsigned list = entry - t->calls;
	struct variant_key *key = vec_push(&t->keys);
	struct variant_entry variant;

	entry->flags |= CALL_VARIES | (call->any_size ? CALL_ANY_SIZE : 0);
	entry->reg = call->reg & 7;
	entry->mask = call->mask;
	entry->list = list;
	*key = (struct variant_key){.list = list, .value = call->value};
	if (call->any_size) {
		key->any_size = 1;
		key->value &= IOCTL_KIND_MASK;
	}
	variant.enter = tables_add_plan(t, call->enter, call->limits);
	variant.leave = tables_add_plan(t, call->leave, call->limits);
	variant.fds = call->fds;
	*vec_push(&t->variants) = variant;
}

static struct request_word word_at(const struct wanted_place *place)
{
	if (place->offset + place->size > REQUEST_SQE || !place->size)
		return (struct request_word){0};
	return (struct request_word){place->offset / 8u, place->offset % 8u * 8,
				     UINT64_MAX >> (64 - 8 * place->size)};
}

static void add_request(struct tables *t, const struct wanted_call *call)
{
	struct request_entry *entry = &t->requests[call->nr % REQUEST_OPCODES];

	*entry = (struct request_entry){.wanted = 1,
					.enter = tables_add_plan(t, call->enter, call->limits),
					.leave = tables_add_plan(t, call->leave, call->limits),
					.fds = call->fds};
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		entry->args[i] = word_at(&call->places[i]);
}

static void add_wanted(void *to, const struct wanted_call *call)
{
	struct tables *t = to;
	struct call_entry *entry;

	if (call->request) {
		add_request(t, call);
		return;
	}
	if (call->abi >= ABI_COUNT || call->nr >= CALLS_OF_ABI)
		return;
	entry = &t->calls[call->abi * CALLS_OF_ABI + call->nr];
	if (call->variant)
		add_variant(t, call, entry);
	else
		add_call(t, call, entry);
}

struct tables *tables_create(const struct capture_wants *wants)
{
	struct tables *t = mem_zalloc(sizeof(*t));

	*vec_push(&t->ops) = (struct read_op){0};
	*vec_push(&t->conditions) = (struct call_conditions){0};
	if (wants->unlisted)
		t->calls[CALLS - 1].flags = CALL_WANTED | (wants->stacks ? CALL_STACK : 0);
	wants->list(wants, add_wanted, t);
	return t;
}

void tables_free(struct tables *t)
{
	vec_deinit(&t->ops);
	vec_deinit(&t->keys);
	vec_deinit(&t->variants);
	vec_deinit(&t->conditions);
	free(t);
}
