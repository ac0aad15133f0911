/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wake/posts.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* Number of posts to keep. Also the number of lists: a post is in the list number key % KEPT. */
#define KEPT 16384
/* Maximum number of posts to compare in one search. */
#define STEPS_MAX 512

struct post {
	wake_key key;
	int64_t begin, end;
	uint64_t older; /* number of the next older post in the same list (see `newest`), or 0 */
	int32_t limit;	/* number of threads that the post may still wake */
	int32_t taken;	/* number of threads that the post has woken so far */
	enum wake_cause cause;
	pid_t tid, tgid;
	char comm[16];
	const char *call;
};

struct posts {
	struct post v[KEPT]; /* post number N is in v[N % KEPT] */
	/* element i: number of the newest post whose key % KEPT is i, or 0 */
	uint64_t newest[KEPT];
	uint64_t last; /* number of the newest post; posts are numbered from 1 */
};

struct posts *posts_create(void)
{
	return mem_zalloc(sizeof(struct posts));
}

void posts_destroy(struct posts *p)
{
	free(p);
}

static struct post *post_at(struct posts *p, uint64_t number)
{
	return number && number + KEPT > p->last ? &p->v[number % KEPT] : NULL;
}

uint64_t posts_add(struct posts *p, wake_key key, enum wake_cause cause, const struct event *e,
		   int64_t begin, int32_t limit)
{
	uint64_t number = ++p->last;
	struct post *post = &p->v[number % KEPT];

	*post = (struct post){.key = key,
			      .begin = begin,
			      .end = POST_RUNNING,
			      .older = p->newest[key % KEPT],
			      .limit = limit,
			      .cause = cause,
			      .tid = e->tid,
			      .tgid = e->tgid,
			      .call = e->name};
	memcpy(post->comm, e->comm, sizeof(post->comm));
	p->newest[key % KEPT] = number;
	return number;
}

void posts_settle(struct posts *p, uint64_t number, int64_t end, int32_t limit)
{
	struct post *post = post_at(p, number);

	if (!post)
		return;
	post->end = end;
	post->limit = limit;
}

/*
 * Returns true if post `a` explains the end of a wait better than post `b` does. The wait began at
 * `begin`. The best explanation is the first post that began during the wait or, if there is none,
 * the last post before the wait.
 */
static bool is_better(const struct post *a, const struct post *b, int64_t begin)
{
	if ((a->begin >= begin) != (b->begin >= begin))
		return a->begin >= begin;
	return a->begin >= begin ? a->begin <= b->begin : a->begin > b->begin;
}

/*
 * Fills in *found for a wake-up by this post. The wait ended at `end`, or at the end of the post's
 * call if that is earlier.
 */
static void describe(const struct post *post, int64_t end, struct wakeup *found)
{
	*found = (struct wakeup){.cause = post->cause,
				 .inferred = true,
				 .tid = post->tid,
				 .tgid = post->tgid,
				 .call = post->call,
				 .at = post->end < end ? post->end : end};
	memcpy(found->comm, post->comm, sizeof(found->comm));
}

bool posts_find(struct posts *p, wake_key key, pid_t tid, int64_t begin, int64_t end,
		unsigned choice, struct wakeup *found)
{
	struct post *best = NULL, *post;
	uint64_t number = p->newest[key % KEPT];

	for (unsigned i = 0; i < STEPS_MAX && (post = post_at(p, number)); i++) {
		number = post->older;
		if (post->key != key || post->tid == tid || post->begin > end ||
		    post->end < begin || post->taken >= post->limit ||
		    (choice & POST_DURING && post->begin < begin))
			continue;
		if (!best || (!(choice & POST_LATEST) && is_better(post, best, begin)))
			best = post;
	}
	if (!best)
		return false;
	if (choice & POST_TAKEN && best->limit != POST_ALL)
		best->taken++;
	describe(best, end, found);
	return true;
}

bool posts_by(struct posts *p, pid_t tid, int64_t at, struct wakeup *found)
{
	const struct post *post;

	for (uint64_t i = 0; i < STEPS_MAX && (post = post_at(p, p->last - i)); i++) {
		if (post->tid != tid || post->begin > at)
			continue;
		describe(post, at, found);
		return post->end >= at;
	}
	return false;
}

pid_t posts_last(struct posts *p, wake_key key, pid_t tgid)
{
	const struct post *post;
	uint64_t number = p->newest[key % KEPT];

	for (unsigned i = 0; i < STEPS_MAX && (post = post_at(p, number)); i++) {
		number = post->older;
		if (post->key == key && post->tgid != tgid)
			return post->tgid;
	}
	return 0;
}
