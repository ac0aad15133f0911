/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/table.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define SLOTS_INITIAL 16

void table_deinit(struct table *t)
{
	free(t->slots);
	*t = (struct table){0};
}

uint64_t table_hash(const void *bytes, size_t n)
{
	const unsigned char *s = bytes;
	uint64_t h = 0xcbf29ce484222325 ^ n;

	for (; n >= 8; s += 8, n -= 8) {
		uint64_t w;

		memcpy(&w, s, 8);
		h = (h ^ w) * 0x9e3779b97f4a7c15;
		h ^= h >> 29;
	}
	for (; n; s++, n--)
		h = (h ^ *s) * 0x100000001b3;
	return h;
}

static void put(struct table *t, struct table_slot slot)
{
	size_t i = table_home(t, slot.hash);

	while (t->slots[i].value)
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
}

static void resize(struct table *t, size_t slots)
{
	size_t n = t->slots ? t->mask + 1 : 0;
	struct table_slot *old = t->slots;

	t->mask = slots - 1;
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

	/* What was put behind it for lack of its own place moves up. */
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

struct table_slot *table_any(const struct table *t)
{
	for (size_t i = 0; t->used && i <= t->mask; i++) {
		if (t->slots[i].value)
			return &t->slots[i];
	}
	return NULL;
}
