/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/pid_levels.h"

#include "capture/bpf/records.h"

/*
 * Maximum number of known ids. When the maximum is reached, all ids are forgotten, because most of
 * the threads are gone by then.
 */
#define KNOWN_MAX 65536

void pid_levels_deinit(struct pid_levels *p)
{
	table_deinit(&p->by_id);
	vec_deinit(&p->known);
	*p = (struct pid_levels){0};
}

static uint64_t hash_of(uint64_t ns, uint32_t nr)
{
	const uint64_t key[2] = {ns, nr};

	return table_hash(key, sizeof(key));
}

static struct known_pid *find(const struct pid_levels *p, uint64_t ns, uint32_t nr)
{
	const uint64_t hash = hash_of(ns, nr);
	struct table_slot *slot = NULL;

	while ((slot = table_find(&p->by_id, hash, slot))) {
		struct known_pid *k = &p->known.v[slot->value - 1];

		if (k->ns == ns && k->nr == nr)
			return k;
	}
	return NULL;
}

uint64_t pid_levels_add(struct pid_levels *p, const struct fork_record *r)
{
	if (r->levels >= PID_LEVELS || !r->tid)
		return 0;
	if (p->known.n + PID_LEVELS > KNOWN_MAX)
		pid_levels_deinit(p);
	for (unsigned i = 0; i <= r->levels; i++) {
		struct known_pid *k = find(p, r->ids[i].ns, r->ids[i].nr);

		if (k) {
			k->ours = r->tid;
			continue;
		}
		*vec_push(&p->known) = (struct known_pid){r->ids[i].ns, r->ids[i].nr, r->tid};
		table_add(&p->by_id, hash_of(r->ids[i].ns, r->ids[i].nr), p->known.n);
	}
	return r->ids[r->levels].ns;
}

pid_t pid_levels_find(const struct pid_levels *p, uint64_t ns, int64_t nr)
{
	const struct known_pid *k = nr > 0 && nr <= INT32_MAX ? find(p, ns, (uint32_t)nr) : NULL;

	return k ? (pid_t)k->ours : 0;
}
