/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "util/mem.h"

#define SLOTS_INITIAL 16

void table_deinit(struct table *t)
{
	free(t->slots);
	*t = (struct table){0};
}

struct table_seed table_seeds = {0xcbf29ce484222325, 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93};

void table_seed(void)
{
	struct timespec now;

	if (getrandom(&table_seeds, sizeof(table_seeds), GRND_NONBLOCK) != sizeof(table_seeds)) {
		/*
		 * During early boot, no random numbers may be available. Then use the time and the
		 * address of `now`, which is random, too.
		 */
		clock_gettime(CLOCK_MONOTONIC, &now);
		table_seeds.add ^= (uint64_t)now.tv_nsec ^ (uintptr_t)&now;
		table_seeds.multiply ^= (uint64_t)now.tv_nsec << 20 ^ (uintptr_t)&now << 16;
	}
	table_seeds.multiply |= 1;
	table_seeds.again |= 1;
}

/*
 * Returns a combination of both halves of the product of two numbers, so each bit of the result
 * depends on all bits of both numbers. For different seeds, a difference between two inputs
 * therefore has different effects on the hashes.
 */
static uint64_t mix(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t table_hash(const void *bytes, size_t n)
{
	const unsigned char *s = bytes;
	uint64_t h = table_seeds.add ^ n, w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = mix(h ^ w, table_seeds.multiply);
	}
	w = 0;
	if (n)
		memcpy(&w, s, n);
	return mix(h ^ w ^ table_seeds.again, table_seeds.multiply);
}

static void put(struct table *t, struct table_slot slot)
{
	size_t i = table_home(t, slot.hash);

	while (t->slots[i].value)
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
	if (i < t->any)
		t->any = i;
}

static void resize(struct table *t, size_t slots)
{
	size_t n = t->slots ? t->mask + 1 : 0;
	struct table_slot *old = t->slots;

	t->mask = slots - 1;
	t->any = 0;
	t->slots = mem_zalloc(slots * sizeof(*t->slots));
	for (size_t i = 0; i < n; i++) {
		if (old[i].value)
			put(t, old[i]);
	}
	free(old);
}

void table_reserve(struct table *t, size_t n)
{
	size_t slots = SLOTS_INITIAL;

	while (slots < 2 * n + 2)
		slots *= 2;
	resize(t, slots);
}

void table_add(struct table *t, uint64_t hash, uint64_t value)
{
	if (2 * (t->used + 1) > t->mask)
		resize(t, t->slots ? 2 * (t->mask + 1) : SLOTS_INITIAL);
	put(t, (struct table_slot){.hash = hash, .value = value});
	t->used++;
}

void table_remove(struct table *t, struct table_slot *slot)
{
	size_t gap = (size_t)(slot - t->slots);

	/* Fill the gap with a later entry. Otherwise, that entry could no longer be found. */
	for (size_t i = (gap + 1) & t->mask; t->slots[i].value; i = (i + 1) & t->mask) {
		size_t home = table_home(t, t->slots[i].hash);

		if (((i - home) & t->mask) < ((i - gap) & t->mask))
			continue;
		t->slots[gap] = t->slots[i];
		gap = i;
	}
	t->slots[gap].value = 0;
	t->used--;
}

struct table_slot *table_any(struct table *t)
{
	if (!t->used)
		return NULL;
	while (!t->slots[t->any].value)
		t->any++;
	return &t->slots[t->any];
}
