/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/ptrace/tracee_way.h"

#define MSEC 1000000ULL

/* So many stops are timed together; the first ones after a change of the way are not counted. */
#define BATCH  16
#define SETTLE BATCH
#define TRIAL  (SETTLE + 3 * BATCH)

/* A trial is given up once it took so many times what the best way would have taken. */
#define TRIAL_LOSS 2
/* The pause after a lost trial is at least so many times what the trial took.
 */
#define SHARE	  100
#define RETRY_MIN (20 * MSEC)
#define RETRY_MAX (2000 * MSEC)

/* With stops as rare as this, WAY_NEAR is not tried: its watchdog would end it. */
#define NEAR_COST_MAX	 MSEC
#define NEAR_PENALTY	 (5 * MSEC)
#define NEAR_PENALTY_MAX (10000 * MSEC)

#define CALM_MIN 2
#define CALM_MAX 64

void ways_init(struct ways *w, bool only_sleep)
{
	*w = (struct ways){
		.only_sleep = only_sleep,
		.now = only_sleep ? WAY_SLEEP : WAY_ASK,
		.best = only_sleep ? WAY_SLEEP : WAY_ASK,
		.near_penalty = NEAR_PENALTY,
	};
}

static void take(struct ways *w, enum way way, uint64_t now)
{
	w->now = way;
	w->began = w->batch = w->glance = now;
	w->stops = 0;
	w->calm = CALM_MIN;
}

/*
 * Whether a way is better than another. WAY_SLEEP beats WAY_ASK at about the same cost, because
 * polling takes a CPU from others; otherwise the way must cost clearly less.
 */
static bool way_pays(const struct ways *w, enum way way, enum way than)
{
	uint64_t a = w->cost[way], b = w->cost[than];

	return way == WAY_SLEEP && than == WAY_ASK ? a * 15 < b * 16 : a * 16 < b * 15;
}

static void trial_lost(struct ways *w, uint64_t now)
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
	take(w, w->best, now);
}

static void trial_won(struct ways *w, uint64_t now)
{
	for (enum way way = 0; way < WAYS; way++)
		w->pause[way] = 0;
	w->retry[w->best] = now + RETRY_MIN;
	w->best = w->now;
	w->settled = w->cost[w->best];
}

static void leave_near(struct ways *w, uint64_t now)
{
	if (w->best == WAY_NEAR) {
		w->best = WAY_ASK;
		if (w->cost[WAY_SLEEP] && way_pays(w, WAY_SLEEP, WAY_ASK))
			w->best = WAY_SLEEP;
		w->settled = w->cost[w->best];
	}
	if (w->now == WAY_NEAR)
		take(w, w->best, now);
}

void ways_not_near(struct ways *w, uint64_t now, enum near_refusal why)
{
	if (why == NEAR_NOT_YET) {
		w->retry[WAY_NEAR] = now;
	} else if (why == NEAR_NEVER) {
		w->retry[WAY_NEAR] = UINT64_MAX;
	} else {
		if (now - w->began > w->near_penalty * SHARE)
			w->near_penalty = NEAR_PENALTY;
		w->retry[WAY_NEAR] = now + w->near_penalty;
		if (w->near_penalty < NEAR_PENALTY_MAX)
			w->near_penalty *= 2;
	}
	leave_near(w, now);
}

void ways_loaded(struct ways *w, uint64_t now)
{
	w->loaded_until = now + WAYS_LOADED_NS;
	w->best = WAY_SLEEP;
	w->settled = w->cost[WAY_SLEEP];
	if (w->now != WAY_SLEEP)
		take(w, WAY_SLEEP, now);
}

void ways_in_place(struct ways *w)
{
	if (w->calm < CALM_MAX)
		w->calm *= 2;
}

void ways_near_ended(struct ways *w)
{
	w->calm = 0;
}

static void measure(struct ways *w, uint64_t cost)
{
	uint64_t *known = &w->cost[w->now];
	bool trial_begins = w->now != w->best && w->stops == SETTLE + BATCH;

	if (!*known || trial_begins)
		*known = cost;
	else if (cost < *known * 4)
		*known = (*known * 7 + cost) / 8;
	else
		/* The tracee may have slept in the meantime, which says little about the way. */
		*known += *known / 8;
}

/* A way that is due for a trial, or else the best way. */
static enum way way_due(const struct ways *w, uint64_t now)
{
	if (now < w->loaded_until)
		return w->best;
	for (enum way way = 0; way < WAYS; way++) {
		if (way == w->best || now < w->retry[way])
			continue;
		if (way == WAY_NEAR && w->cost[w->best] > NEAR_COST_MAX)
			continue;
		return way;
	}
	return w->best;
}

/* Evaluates a batch of stops. Returns true if the way has changed. */
static bool batch_end(struct ways *w, uint64_t now)
{
	enum way due;

	if (w->stops > SETTLE)
		measure(w, (now - w->batch) / BATCH);
	w->batch = now;
	w->calm = w->calm / 2 > CALM_MIN ? w->calm / 2 : CALM_MIN;
	if (w->now != w->best) {
		if (w->stops < TRIAL)
			return false;
		if (way_pays(w, w->now, w->best))
			trial_won(w, now);
		else
			trial_lost(w, now);
		return true;
	}
	if (w->stops < SETTLE + BATCH)
		return false;
	/* The costs of the other ways were measured with stops that were much cheaper. */
	if (w->cost[w->best] > w->settled * 3) {
		for (enum way way = WAY_SLEEP; way < WAYS; way++) {
			w->retry[way] = now;
			w->pause[way] = 0;
		}
		w->settled = w->cost[w->best];
	}
	due = way_due(w, now);
	if (due == w->best)
		return false;
	take(w, due, now);
	return true;
}

bool ways_glance(struct ways *w, uint64_t now)
{
	uint64_t took = now - w->glance;
	bool trial = w->now != w->best;

	w->glance = now;
	w->look = w->now == WAY_NEAR && took > w->cost[WAY_NEAR] * (w->calm * WAYS_GLANCE);
	if (trial && now - w->began > w->cost[w->best] * (TRIAL_LOSS * TRIAL)) {
		trial_lost(w, now);
		return true;
	}
	if (w->stops % BATCH == 0 && batch_end(w, now))
		return true;
	return w->look;
}
