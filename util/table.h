/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A hash table with open addressing, at most half full. The table does not store keys. The caller
 * must compare the values found for a hash, unless different keys always have different hashes
 * (table_hash_number()).
 */
#ifndef TRACER_UTIL_TABLE_H
#define TRACER_UTIL_TABLE_H

#include "defs.h"

struct table_slot {
	uint64_t hash;
	uint64_t value; /* an index plus one or a pointer, or 0 if the slot is free */
};

/* The table; initially {0}. */
struct table {
	struct table_slot *slots;
	size_t mask; /* number of slots minus one; the number of slots is a power of two */
	size_t used;
	size_t any; /* all slots before this index are free */
};

/* Frees the table, but not the objects that its values point to. */
void table_deinit(struct table *t);

/*
 * Random numbers on which all hashes depend. Keys come from tracees and trace files. Without random
 * numbers, an attacker could choose keys that all belong to the same slot. table_seed() sets the
 * numbers before any table exists, so hashes and the order of slots differ from run to run.
 */
struct table_seed {
	uint64_t add, multiply, again; /* `multiply` and `again` are odd */
};
extern struct table_seed table_seeds;
void table_seed(void);

/* Returns a hash of n bytes. */
uint64_t table_hash(const void *bytes, size_t n);

/* Returns a hash of a number. Different numbers have different hashes. */
static inline uint64_t table_hash_number(uint64_t n)
{
	n = (n + table_seeds.add) * table_seeds.multiply;
	return (n ^ n >> 32) * table_seeds.again;
}

/* Returns the index of the slot at which the search for a hash begins. */
static inline size_t table_home(const struct table *t, uint64_t hash)
{
	return (hash ^ hash >> 32) & t->mask;
}

/*
 * If `after` is NULL, finds the first slot with this hash. Otherwise finds the next slot with this
 * hash after the slot `after`. Returns NULL if there is none. Slots are valid until something is
 * added or removed.
 */
static inline struct table_slot *table_find(const struct table *t, uint64_t hash,
					    const struct table_slot *after)
{
	size_t i;

	if (!t->slots)
		return NULL;
	i = after ? (size_t)(after - t->slots + 1) & t->mask : table_home(t, hash);
	for (; t->slots[i].value; i = (i + 1) & t->mask) {
		if (t->slots[i].hash == hash)
			return &t->slots[i];
	}
	return NULL;
}

/*
 * Returns the value that was added with the hash of a number (table_hash_number()) as a pointer.
 * Returns NULL if there is none.
 */
static inline void *table_get(const struct table *t, uint64_t number)
{
	const struct table_slot *slot = table_find(t, table_hash_number(number), NULL);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* Reserves space for n values in an empty table, so that adding them is fast. */
void table_reserve(struct table *t, size_t n);
/* Adds a value, which must not be 0. */
void table_add(struct table *t, uint64_t hash, uint64_t value);
/* Removes the value in a slot. */
void table_remove(struct table *t, struct table_slot *slot);

/*
 * Returns any slot that is in use, or NULL if the table is empty. Useful for removing all values
 * one by one.
 */
struct table_slot *table_any(struct table *t);

#endif
