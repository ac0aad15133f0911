/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/pending.h"

#include "uring/ring.h"

static struct request **bucket_of(struct pending *p, uint64_t user_data)
{
	uint64_t h = (user_data ^ p->key) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32 ^ p->key) * UINT64_C(0xbf58476d1ce4e5b9);
	return &p->buckets[h >> 54];
}

/*
 * Returns the address of the pointer to the oldest request with this user_data. If there is none,
 * returns the address of the null pointer that ends the bucket's list.
 */
static struct request **place_of(struct pending *p, uint64_t user_data)
{
	struct request **at = bucket_of(p, user_data);

	while (*at && (*at)->shown.user_data != user_data)
		at = &(*at)->next;
	return at;
}

static void add_silent(struct pending *p, struct request *q)
{
	q->prev_silent = p->last_silent;
	if (p->last_silent)
		p->last_silent->next_silent = q;
	else
		p->first_silent = q;
	p->last_silent = q;
}

static void remove_silent(struct pending *p, struct request *q)
{
	if (q->prev_silent)
		q->prev_silent->next_silent = q->next_silent;
	else
		p->first_silent = q->next_silent;
	if (q->next_silent)
		q->next_silent->prev_silent = q->prev_silent;
	else
		p->last_silent = q->prev_silent;
}

static bool is_silent(const struct request *q)
{
	return q->shown.flags & URING_SQE_CQE_SKIP;
}

void pending_add(struct pending *p, struct request *q)
{
	struct request **at = place_of(p, q->shown.user_data), *first = *at;

	if (first) {
		q->next_alike = first;
		q->prev_alike = first->prev_alike;
		first->prev_alike->next_alike = q;
		first->prev_alike = q;
	} else {
		q->next_alike = q->prev_alike = q;
		*at = q;
	}
	q->older = p->newest;
	if (p->newest)
		p->newest->newer = q;
	else
		p->oldest = q;
	p->newest = q;
	if (is_silent(q))
		add_silent(p, q);
}

static void remove_alike(struct pending *p, struct request *q)
{
	struct request **at = place_of(p, q->shown.user_data);

	if (q->next_alike == q) {
		*at = q->next;
		return;
	}
	if (*at == q) {
		q->next_alike->next = q->next;
		*at = q->next_alike;
	}
	q->next_alike->prev_alike = q->prev_alike;
	q->prev_alike->next_alike = q->next_alike;
}

void pending_remove(struct pending *p, struct request *q)
{
	remove_alike(p, q);
	if (is_silent(q))
		remove_silent(p, q);
	if (q->older)
		q->older->newer = q->newer;
	else
		p->oldest = q->newer;
	if (q->newer)
		q->newer->older = q->older;
	else
		p->newest = q->older;
}

struct request *pending_find(const struct pending *p, uint64_t user_data)
{
	return *place_of((struct pending *)p, user_data);
}
