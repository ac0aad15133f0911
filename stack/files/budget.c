/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/budget.h"

#include "util/clock.h"

#define FULL_NS	 (10 * (int64_t)NSEC_PER_SEC)
#define STACK_NS 5000000
/* Time limit for one read of new data (budget_begin() to budget_end()), in ns. */
#define READING_NS (2 * (uint64_t)NSEC_PER_SEC)

static uint64_t now(void)
{
	return timespec_ns(clock_after(0));
}

void budget_init(struct budget *b)
{
	*b = (struct budget){.ns = FULL_NS};
}

void budget_credit(struct budget *b)
{
	b->ns = b->ns + STACK_NS < FULL_NS ? b->ns + STACK_NS : FULL_NS;
}

bool budget_begin(struct budget *b)
{
	if (!b || b->depth++)
		return true;
	if (b->ns <= 0) {
		b->depth = 0;
		return false;
	}
	b->began = now();
	b->read_limit = READING_NS;
	return true;
}

void budget_end(struct budget *b)
{
	if (b && !--b->depth)
		b->ns -= now() - b->began;
}

bool budget_expired(const struct budget *b)
{
	return b && now() - b->began > b->read_limit;
}

bool budget_has_room(const struct budget *b, uint64_t bytes)
{
	return !b || (bytes <= BUDGET_BYTES && b->bytes <= BUDGET_BYTES - bytes);
}
