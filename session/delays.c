/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/delays.h"

#include "session/resume.h"
#include "util/clock.h"

void delays_deinit(struct delays *d)
{
	vec_deinit(&d->v);
}

void delays_add(struct delays *d, struct tcb *tcb, uint64_t ns)
{
	*vec_push(&d->v) = (struct delay){.tcb = tcb, .until = clock_after(ns)};
}

void delays_forget(struct delays *d, const struct tcb *tcb)
{
	for (size_t i = 0; i < d->v.n; i++)
		if (d->v.v[i].tcb == tcb)
			d->v.v[i--] = d->v.v[--d->v.n];
}

void delays_end(struct delays *d)
{
	struct timespec now = clock_after(0);

	for (size_t i = 0; i < d->v.n; i++) {
		struct tcb *tcb = d->v.v[i].tcb;

		if (timespec_before(now, d->v.v[i].until))
			continue;
		d->v.v[i--] = d->v.v[--d->v.n];
		resume_thread(tcb);
	}
}

bool delays_deadline(const struct delays *d, bool any, struct timespec *at)
{
	vec_for_each (&d->v, delay)
		timespec_lower(at, &any, delay->until);
	return any;
}
