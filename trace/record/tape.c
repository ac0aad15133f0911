/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/tape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record/trace_file.h"
#include "util/mem.h"
#include "util/vec.h"

/* Each block contains 1/PARTS of the calls to keep, so at most one block too many is kept. */
#define PARTS 16

struct kept_block {
	struct block_header h;
	struct strbuf body;
	size_t calls;
};

struct tape {
	char *path, *name; /* path given by the user, and name of the file that was written last */
	size_t max;
	unsigned files;
	VEC(struct kept_block) blocks; /* the oldest is at `first`, the newest at the end */
	size_t first;
	size_t calls;	    /* number of calls in the kept blocks */
	uint64_t all_calls; /* number of calls that have ever been added */
	uint64_t lost;	    /* number of events that were lost before the oldest kept block */
};

struct tape *tape_create(const char *path, size_t calls)
{
	struct tape *t = mem_zalloc(sizeof(*t));

	t->path = mem_strdup(path);
	t->max = calls;
	return t;
}

static void drop(struct tape *t)
{
	struct kept_block *b = &t->blocks.v[t->first++];

	t->calls -= b->calls;
	t->lost = b->h.lost;
	strbuf_deinit(&b->body);
	if (t->first < 2 * PARTS && t->first < t->blocks.n)
		return;
	t->blocks.n -= t->first;
	memmove(t->blocks.v, t->blocks.v + t->first, t->blocks.n * sizeof(*t->blocks.v));
	t->first = 0;
}

void tape_destroy(struct tape *t)
{
	if (!t)
		return;
	while (t->first < t->blocks.n)
		drop(t);
	vec_deinit(&t->blocks);
	free(t->path);
	free(t->name);
	free(t);
}

size_t tape_block_calls(const struct tape *t)
{
	return size_max(t->max / PARTS, 1);
}

void tape_put(struct tape *t, const struct block_header *h, struct strbuf *body, size_t calls)
{
	*vec_push(&t->blocks) = (struct kept_block){*h, *body, calls};
	*body = (struct strbuf){0};
	t->calls += calls;
	t->all_calls += calls;
	while (t->calls - t->blocks.v[t->first].calls >= t->max)
		drop(t);
}

static void name_next(struct tape *t)
{
	size_t n = strlen(t->path) + 16;

	free(t->name);
	t->name = mem_alloc(n);
	snprintf(t->name, n, "%s.%u", t->path, ++t->files);
}

int tape_write(struct tape *t, const struct block_header *meta, const struct strbuf *meta_body,
	       struct tape_written *w)
{
	struct strbuf body = {0};
	struct trace_file *f;
	uint64_t before;

	*w = (struct tape_written){.all_calls = t->all_calls};
	if (t->first == t->blocks.n)
		return 0;
	name_next(t);
	f = trace_file_open(t->name);
	if (!f)
		return -errno;
	w->path = t->name;
	w->calls = t->calls;
	strbuf_add(&body, meta_body->data, meta_body->len);
	trace_file_put(f, meta, &body);
	/* In the new file, the counts of stops and of lost events start at 0. */
	before = t->blocks.v[t->first].h.sequence;
	for (size_t i = t->first; i < t->blocks.n; i++) {
		struct kept_block *b = &t->blocks.v[i];
		struct block_header h = b->h;

		h.sequence -= before;
		h.lost -= t->lost;
		strbuf_deinit(&body);
		body = b->body;
		b->body = (struct strbuf){0};
		trace_file_put(f, &h, &body);
	}
	strbuf_deinit(&body);
	while (t->first < t->blocks.n)
		drop(t);
	return trace_file_close(f, NULL);
}
