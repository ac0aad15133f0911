/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A hash table with open addressing, at most half full. It does not store keys: the caller has to
 * compare the values found for a hash, unless different keys have different hashes
 * (table_hash_number()).
 */
#ifndef TRACER_UTIL_TABLE_H
#define TRACER_UTIL_TABLE_H

#include "defs.h"

struct table_slot {
	uint64_t hash;
	uint64_t value; /* an index plus one, or a pointer; 0 if the slot is free */
};

/* {0} is empty. */
struct table {
	struct table_slot *slots;
	size_t mask; /* slots - 1; slots are a power of two */
	size_t used;
	size_t any; /* no slot before this index is in use */
};

/* Frees the table, but not the targets of its values. */
void table_deinit(struct table *t);

/*
 * Keys may come from tracees and trace files, which must not be able to choose keys whose searches
 * all begin in the same slot. So hashes depend on random numbers, set once by table_seed() before
 * any table exists. Hashes and the order of slots differ in each run.
 */
struct table_seed {
	uint64_t add, multiply, again; /* the last two are odd */
};
extern struct table_seed table_seeds;
void table_seed(void);

/* Returns the hash of n bytes. */
uint64_t table_hash(const void *bytes, size_t n);

/* Returns the hash of a number. Different numbers have different hashes. */
static inline uint64_t table_hash_number(uint64_t n)
{
	n = (n + table_seeds.add) * table_seeds.multiply;
	return (n ^ n >> 32) * table_seeds.again;
}

/* Returns the index of the slot where the search for a hash begins. */
static inline size_t table_home(const struct table *t, uint64_t hash)
{
	return (hash ^ hash >> 32) & t->mask;
}

/*
 * Finds a slot with this hash: the first one if after is NULL, otherwise the next one after
 * `after`. Returns NULL if there are no more. A slot is valid until something is added or removed.
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

/* Reserves space in an empty table for n values, so that adding them is quick. */
void table_reserve(struct table *t, size_t n);
/* Adds value, which is not 0. */
void table_add(struct table *t, uint64_t hash, uint64_t value);
/* Removes the value in slot. */
void table_remove(struct table *t, struct table_slot *slot);

/* Returns any slot in use, or NULL if the table is empty; for removing all values one by one. */
struct table_slot *table_any(struct table *t);

#endif
