/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/ptrace/wait_policy.h"

#define MSEC 1000000ULL

/*
 * The cost of a wait method is measured in batches of BATCH stops. The first SETTLE stops after a
 * change of the method are ignored.
 */
#define BATCH  16
#define SETTLE BATCH
#define TRIAL  (SETTLE + 3 * BATCH)

/*
 * A trial of a method ends early if it has taken TRIAL_LOSS times as long as a whole trial (TRIAL
 * stops) takes with the best method.
 */
#define TRIAL_LOSS 2
/*
 * After a trial of a method that turned out to cost more, there is a pause before the next trial of
 * this method. The pause is twice the previous one (RETRY_MIN for the first) or SHARE times the
 * duration of the trial, whichever is longer, but at most RETRY_MAX.
 */
#define SHARE	  100
#define RETRY_MIN (20 * MSEC)
#define RETRY_MAX (2000 * MSEC)

/*
 * WAIT_FOLLOW is not tried if a stop costs more than FOLLOW_COST_MAX nanoseconds. In this case,
 * stops are so rare that the watchdog would make the tracer stop following the tracee.
 */
#define FOLLOW_COST_MAX	 MSEC
#define FOLLOW_PAUSE	 (5 * MSEC)
#define FOLLOW_PAUSE_MAX (10000 * MSEC)

#define CHECK_FACTOR_MIN 2
#define CHECK_FACTOR_MAX 64

void wait_policy_init(struct wait_policy *w, bool only_sleep)
{
	*w = (struct wait_policy){
		.only_sleep = only_sleep,
		.now = only_sleep ? WAIT_SLEEP : WAIT_POLL,
		.best = only_sleep ? WAIT_SLEEP : WAIT_POLL,
		.follow_pause = FOLLOW_PAUSE,
	};
}

static void switch_to(struct wait_policy *w, enum wait_method method, uint64_t now)
{
	w->now = method;
	w->began = w->batch = w->updated = now;
	w->stops = 0;
	w->check_factor = CHECK_FACTOR_MIN;
}

/*
 * Returns true if `method` is better than `other`. WAIT_SLEEP is better than WAIT_POLL even at a
 * slightly higher cost, because polling takes CPU time from others. In all other cases, the better
 * method must cost clearly less.
 */
static bool is_cheaper(const struct wait_policy *w, enum wait_method method, enum wait_method other)
{
	uint64_t a = w->cost[method], b = w->cost[other];

	return method == WAIT_SLEEP && other == WAIT_POLL ? a * 15 < b * 16 : a * 16 < b * 15;
}

static void trial_lost(struct wait_policy *w, uint64_t now)
{
	uint64_t took = now - w->began, *pause = &w->pause[w->now];

	if (w->stops < SETTLE + BATCH)
		w->cost[w->now] = took / w->stops;
	*pause = *pause < RETRY_MIN ? RETRY_MIN : *pause * 2;
	if (*pause < took * SHARE)
		*pause = took * SHARE;
	if (*pause > RETRY_MAX)
		*pause = RETRY_MAX;
	w->retry[w->now] = now + *pause;
	switch_to(w, w->best, now);
}

static void trial_won(struct wait_policy *w, uint64_t now)
{
	for (enum wait_method method = 0; method < WAIT_METHODS; method++)
		w->pause[method] = 0;
	w->retry[w->best] = now + RETRY_MIN;
	w->best = w->now;
	w->settled = w->cost[w->best];
}

static void disable_follow(struct wait_policy *w, uint64_t now)
{
	if (w->best == WAIT_FOLLOW) {
		w->best = WAIT_POLL;
		if (w->cost[WAIT_SLEEP] && is_cheaper(w, WAIT_SLEEP, WAIT_POLL))
			w->best = WAIT_SLEEP;
		w->settled = w->cost[w->best];
	}
	if (w->now == WAIT_FOLLOW)
		switch_to(w, w->best, now);
}

void wait_policy_disable_follow(struct wait_policy *w, uint64_t now, enum follow_refusal why)
{
	if (why == FOLLOW_NOT_NOW) {
		w->retry[WAIT_FOLLOW] = now;
	} else if (why == FOLLOW_FORBIDDEN) {
		w->retry[WAIT_FOLLOW] = UINT64_MAX;
	} else {
		if (now - w->began > w->follow_pause * SHARE)
			w->follow_pause = FOLLOW_PAUSE;
		w->retry[WAIT_FOLLOW] = now + w->follow_pause;
		if (w->follow_pause < FOLLOW_PAUSE_MAX)
			w->follow_pause *= 2;
	}
	disable_follow(w, now);
}

void wait_policy_loaded(struct wait_policy *w, uint64_t now)
{
	w->loaded_until = now + WAIT_LOADED_NS;
	w->best = WAIT_SLEEP;
	w->settled = w->cost[WAIT_SLEEP];
	if (w->now != WAIT_SLEEP)
		switch_to(w, WAIT_SLEEP, now);
}

void wait_policy_same_cpu(struct wait_policy *w)
{
	if (w->check_factor < CHECK_FACTOR_MAX)
		w->check_factor *= 2;
}

void wait_policy_follow_ended(struct wait_policy *w)
{
	w->check_factor = 0;
}

static void measure(struct wait_policy *w, uint64_t cost)
{
	uint64_t *known = &w->cost[w->now];
	bool trial_begins = w->now != w->best && w->stops == SETTLE + BATCH;

	if (!*known || trial_begins)
		*known = cost;
	else if (cost < *known * 4)
		*known = (*known * 7 + cost) / 8;
	else
		/*
		 * The tracee may have slept during the batch, so the measured cost is not
		 * meaningful.
		 */
		*known += *known / 8;
}

/* Returns a method whose next trial is due. If no trial is due, returns the best method. */
static enum wait_method method_due(const struct wait_policy *w, uint64_t now)
{
	if (now < w->loaded_until)
		return w->best;
	for (enum wait_method method = 0; method < WAIT_METHODS; method++) {
		if (method == w->best || now < w->retry[method])
			continue;
		if (method == WAIT_FOLLOW && w->cost[w->best] > FOLLOW_COST_MAX)
			continue;
		return method;
	}
	return w->best;
}

/* Evaluates a completed batch of stops. Returns true if w->now or w->best has changed. */
static bool batch_end(struct wait_policy *w, uint64_t now)
{
	enum wait_method due;

	if (w->stops > SETTLE)
		measure(w, (now - w->batch) / BATCH);
	w->batch = now;
	w->check_factor =
		w->check_factor / 2 > CHECK_FACTOR_MIN ? w->check_factor / 2 : CHECK_FACTOR_MIN;
	if (w->now != w->best) {
		if (w->stops < TRIAL)
			return false;
		if (is_cheaper(w, w->now, w->best))
			trial_won(w, now);
		else
			trial_lost(w, now);
		return true;
	}
	if (w->stops < SETTLE + BATCH)
		return false;
	/* The other methods were measured when stops were much cheaper, so measure them again. */
	if (w->cost[w->best] > w->settled * 3) {
		for (enum wait_method method = WAIT_SLEEP; method < WAIT_METHODS; method++) {
			w->retry[method] = now;
			w->pause[method] = 0;
		}
		w->settled = w->cost[w->best];
	}
	due = method_due(w, now);
	if (due == w->best)
		return false;
	switch_to(w, due, now);
	return true;
}

bool wait_policy_update(struct wait_policy *w, uint64_t now)
{
	uint64_t took = now - w->updated;
	bool trial = w->now != w->best;

	w->updated = now;
	w->check_cpu = w->now == WAIT_FOLLOW &&
		       took > w->cost[WAIT_FOLLOW] * (w->check_factor * WAIT_CLOCK_EVERY);
	if (trial && now - w->began > w->cost[w->best] * (TRIAL_LOSS * TRIAL)) {
		trial_lost(w, now);
		return true;
	}
	if (w->stops % BATCH == 0 && batch_end(w, now))
		return true;
	return w->check_cpu;
}
