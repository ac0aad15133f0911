/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/thread_counts.h"

#include <stdlib.h>
#include <string.h>

#include "util/msg.h"

struct known_count {
	struct count_key key;
	struct call_count value;
};

void thread_counts_init(struct thread_counts *c, const struct loaded *loaded, bool repeated)
{
	*c = (struct thread_counts){.loaded = loaded, .repeated = repeated};
}

void thread_counts_deinit(struct thread_counts *c)
{
	strbuf_deinit(&c->list);
	vec_deinit(&c->known);
	vec_deinit(&c->unused);
	table_deinit(&c->by_key);
	table_deinit(&c->ending);
	table_deinit(&c->ended);
}

static struct table_slot *slot_of(const struct table *t, pid_t tid)
{
	return table_find(t, table_hash_number((uint64_t)tid), NULL);
}

void thread_counts_end(struct thread_counts *c, pid_t tid, pid_t heir)
{
	if (c->repeated && !slot_of(&c->ended, tid))
		table_add(&c->ended, table_hash_number((uint64_t)tid), heir ? (uint64_t)heir : 1);
}

void thread_counts_begin(struct thread_counts *c, pid_t tid)
{
	struct table_slot *slot = slot_of(&c->ended, tid);

	if (slot)
		table_remove(&c->ended, slot);
}

static void begin_pass(struct thread_counts *c)
{
	const int err = loaded_list_counts(c->loaded, &c->list);

	if (err)
		msg("calls cannot be counted: %s", strerror(-err));
	c->started = true;
	c->next = 0;
	table_deinit(&c->ending);
	c->ending = c->ended;
	c->ended = (struct table){0};
}

/* ---- counts that were returned before ---- */

static struct table_slot *known_slot(const struct thread_counts *c, const struct count_key *key,
				     uint64_t hash)
{
	struct table_slot *slot = NULL;

	while ((slot = table_find(&c->by_key, hash, slot)))
		if (!memcmp(&c->known.v[slot->value - 1].key, key, sizeof(*key)))
			return slot;
	return NULL;
}

/* Returns the index of a key in c->known. If the key is new, adds it. */
static size_t known_index(struct thread_counts *c, const struct count_key *key, uint64_t hash)
{
	const struct table_slot *slot = known_slot(c, key, hash);
	size_t i = c->known.n;

	if (slot)
		return slot->value - 1;
	if (c->unused.n)
		i = c->unused.v[--c->unused.n];
	else
		vec_push(&c->known);
	c->known.v[i] = (struct known_count){.key = *key};
	table_add(&c->by_key, hash, i + 1);
	return i;
}

/*
 * Deletes the map element with this key, whose thread has ended. `i` is the key's index in
 * c->known.
 */
static void forget(struct thread_counts *c, const struct count_key *key, uint64_t hash, size_t i)
{
	const int map = c->loaded->bpf.bpf_map__fd(loaded_map(c->loaded, "thread_counts"));

	c->loaded->bpf.bpf_map_delete_elem(map, key);
	table_remove(&c->by_key, known_slot(c, key, hash));
	*vec_push(&c->unused) = i;
}

/*
 * Subtracts from *value the counts that earlier passes returned. Returns true if anything remains.
 * The number of calls alone does not decide this, because the kernel may change an element while it
 * is being read.
 */
static bool take_new(struct thread_counts *c, const struct count_key *key, struct call_count *value,
		     bool ended)
{
	const uint64_t hash = table_hash(key, sizeof(*key));
	const size_t i = known_index(c, key, hash);
	const struct call_count before = c->known.v[i].value, now = *value;

	c->known.v[i].value = now;
	value->calls -= before.calls;
	value->errors -= before.errors;
	value->bytes -= before.bytes;
	value->wall.total -= before.wall.total;
	value->cpu.total -= before.cpu.total;
	if (ended)
		forget(c, key, hash, i);
	return value->calls || value->errors || value->bytes || value->wall.total;
}

bool thread_counts_next(struct thread_counts *c, struct capture_counts *sum)
{
	if (!c->started)
		begin_pass(c);
	while (c->next + sizeof(struct listed_count) <= c->list.len) {
		struct listed_count *listed = (struct listed_count *)(c->list.data + c->next);
		const struct count_key *key = &listed->key;
		struct call_count *value = &listed->value;
		const struct table_slot *end = slot_of(&c->ending, (pid_t)key->tid);
		const pid_t heir = end && end->value > 1 ? (pid_t)end->value : 0;

		c->next += sizeof(*listed);
		if (c->repeated ? !take_new(c, key, value, end) : !value->calls)
			continue;
		*sum = (struct capture_counts){.abi = key->call / CALLS_OF_ABI,
					       .nr = key->call % CALLS_OF_ABI,
					       .tgid = (pid_t)key->tgid,
					       .tid = heir ? heir : (pid_t)key->tid,
					       .error = (int)key->error,
					       .execs = key->execs,
					       .calls = value->calls,
					       .errors = value->errors,
					       .bytes = value->bytes,
					       .wall = value->wall,
					       .cpu = value->cpu};
		return true;
	}
	c->started = false;
	return false;
}
