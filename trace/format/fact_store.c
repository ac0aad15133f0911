/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/fact_store.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct fact_question *q)
{
	uint64_t h = table_hash_number((uint64_t)q->n);

	h = table_hash_number(h ^ (uint64_t)q->tid);
	h = table_hash_number(h ^ (uint64_t)q->kind << 32 ^ (uint32_t)q->of);
	return q->key ? h ^ table_hash(q->key, strlen(q->key)) : h;
}

static bool same(const struct fact_question *a, const struct fact_question *b)
{
	return a->kind == b->kind && a->tid == b->tid && a->n == b->n && a->of == b->of &&
	       !a->key == !b->key && (!a->key || !strcmp(a->key, b->key));
}

void fact_store_clear(struct fact_store *s)
{
	vec_for_each (&s->facts, f) {
		free((char *)f->question.key);
		free(f->bytes);
	}
	s->facts.n = 0;
	s->bytes = 0;
	table_deinit(&s->by_hash);
	s->by_hash = (struct table){0};
}

void fact_store_deinit(struct fact_store *s)
{
	fact_store_clear(s);
	vec_deinit(&s->facts);
}

static struct stored_fact *find(const struct fact_store *s, const struct fact_question *q,
				uint64_t hash)
{
	struct table_slot *slot = NULL;

	while ((slot = table_find(&s->by_hash, hash, slot))) {
		struct stored_fact *f = &s->facts.v[slot->value - 1];

		if (same(&f->question, q))
			return f;
	}
	return NULL;
}

struct stored_fact *fact_store_find(const struct fact_store *s, const struct fact_question *q)
{
	return find(s, q, hash_of(q));
}

static bool is(const struct stored_fact *f, const struct fact_answer *a)
{
	return f->error == a->error && f->late == a->late && f->count == a->count &&
	       f->len == a->len &&
	       !memcmp(f->numbers, a->numbers, a->count * sizeof(a->numbers[0])) &&
	       (!a->len || !memcmp(f->bytes, a->bytes, a->len));
}

bool fact_store_put(struct fact_store *s, const struct fact_question *q,
		    const struct fact_answer *a, struct stored_fact **stored)
{
	uint64_t hash = hash_of(q);
	struct stored_fact *f = find(s, q, hash);

	*stored = f;
	if (f && is(f, a))
		return false;
	if (!f) {
		f = *stored = vec_push(&s->facts);
		*f = (struct stored_fact){.question = *q};
		f->question.key = q->key ? mem_strdup(q->key) : NULL;
		s->bytes += q->key ? strlen(q->key) + 1 : 0;
		table_add(&s->by_hash, hash, s->facts.n);
	}
	free(f->bytes);
	s->bytes += a->len - f->len;
	f->error = a->error;
	f->late = a->late;
	f->count = a->count;
	memcpy(f->numbers, a->numbers, a->count * sizeof(a->numbers[0]));
	f->len = a->len;
	f->bytes = a->len ? mem_alloc(a->len) : NULL;
	if (a->len)
		memcpy(f->bytes, a->bytes, a->len);
	return true;
}

void stored_fact_answer(const struct stored_fact *f, struct fact_answer *a)
{
	a->error = f->error;
	a->late = f->late;
	a->count = f->count;
	memcpy(a->numbers, f->numbers, f->count * sizeof(f->numbers[0]));
	fact_set_bytes(a, f->bytes, f->len);
}
