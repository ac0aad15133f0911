/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/budget.h"

#include "capture/memory.h"
#include "util/clock.h"

/*
 * Limit on CPU time per stop, in seconds. A limit on elapsed time would end decoding too early on a
 * busy machine.
 */
#define SECONDS 2

static bool is_late(struct budget *b)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) < 0)
		return false;
	if (!b->until.tv_sec) {
		b->until = now;
		b->until.tv_sec += SECONDS;
	}
	return timespec_before(b->until, now);
}

bool budget_check(struct budget *b, size_t bytes, const struct memory *m)
{
	b->check_at = bytes + BUDGET_CHECK_BYTES;
	b->spent = b->spent || bytes >= BUDGET_BYTES || memory_is_urgent(m) || is_late(b);
	if (b->spent)
		b->check_at = 0;
	return b->spent;
}
