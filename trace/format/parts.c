/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/parts.h"

#include <stdlib.h>

#include "trace/format/coding.h"
#include "trace/format/index.h"
#include "util/bisect.h"

/* A THREADS block is written when this number of bytes is pending. */
#define ENOUGH (256u << 10)
/*
 * Maximum size of a part's list of threads in bytes, so that the list fits into a block. A part
 * whose list would be longer is treated as if it contained stops of all threads.
 */
#define THREADS_BYTES (512u << 10)

void part_list_deinit(struct part_list *b)
{
	strbuf_deinit(&b->body);
	strbuf_deinit(&b->threads);
}

void part_list_add(struct part_list *b, pid_t tgid, pid_t tid)
{
	if (b->threads.len >= THREADS_BYTES)
		return;
	put_signed(&b->threads, tgid - b->tgid);
	put_signed(&b->threads, (int64_t)tid - tgid);
	b->tgid = tgid;
	b->count++;
}

void part_list_end(struct part_list *b)
{
	bool all = b->threads.len >= THREADS_BYTES;

	put_uleb(&b->body, b->part++);
	put_uleb(&b->body, all ? 0 : b->count);
	if (!all)
		strbuf_add(&b->body, b->threads.data, b->threads.len);
	b->threads.len = 0;
	b->count = 0;
	b->tgid = 0;
}

bool part_list_full(const struct part_list *b)
{
	return b->body.len >= ENOUGH;
}

/* -- reading ------------------------------------------------------------------ */

void trace_parts_deinit(struct trace_parts *p)
{
	vec_deinit(&p->parts);
}

static bool is_among(uint64_t id, const pid_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (id == (uint64_t)ids[i])
			return true;
	return false;
}

/*
 * Reads a THREADS block. Sets `wanted` of each part in the block to true if the part contains stops
 * of any of the n requested threads, or if its threads are not listed.
 */
static void take_threads(struct trace_parts *p, const struct strbuf *body, const pid_t *ids,
			 size_t n)
{
	struct cursor in = {.p = (const uint8_t *)body->data,
			    .end = (const uint8_t *)body->data + body->len};

	while (in.p < in.end) {
		uint64_t part = cursor_uleb(&in), count = cursor_uleb(&in), tgid = 0;
		bool wanted = !count;

		for (uint64_t i = 0; i < count && !in.bad; i++) {
			uint64_t tid;

			tgid += (uint64_t)take_signed(&in);
			tid = tgid + (uint64_t)take_signed(&in);
			wanted |= is_among(tgid, ids, n) || is_among(tid, ids, n);
		}
		if (in.bad)
			return;
		if (part < p->parts.n)
			p->parts.v[part].wanted = wanted;
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct index_entry *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/*
 * Finds the STATE and THREADS blocks of the whole file, in file order. Returns false if the index
 * of the file is missing or damaged.
 */
static bool find_blocks(const struct block_reader *r, index_entries *found)
{
	uint64_t offset = index_last(r);
	bool whole = offset != 0;
	index_entries e = {0};

	while (whole && offset) {
		whole = index_read(r, &offset, &e);
		for (size_t i = 0; i < e.n && whole; i++)
			if (e.v[i].kind == BLOCK_STATE || e.v[i].kind == BLOCK_THREADS)
				*vec_push(found) = e.v[i];
	}
	vec_deinit(&e);
	if (whole && found->n)
		qsort(found->v, found->n, sizeof(*found->v), by_offset);
	return whole;
}

bool trace_parts_read(struct trace_parts *p, const struct block_reader *r, const pid_t *ids,
		      size_t n)
{
	index_entries blocks = {0};
	struct strbuf body = {0};
	struct block_header h;
	bool whole = find_blocks(r, &blocks);

	if (whole)
		*vec_push(&p->parts) = (struct trace_part){0, true};
	for (size_t i = 0; i < blocks.n && whole; i++)
		if (blocks.v[i].kind == BLOCK_STATE)
			*vec_push(&p->parts) = (struct trace_part){blocks.v[i].offset, true};
	for (size_t i = 0; i < blocks.n && whole; i++)
		if (blocks.v[i].kind == BLOCK_THREADS &&
		    block_at(r, blocks.v[i].offset, &h, &body) && h.kind == BLOCK_THREADS)
			take_threads(p, &body, ids, n);
	if (whole)
		p->parts.v[p->parts.n - 1].wanted = true;
	vec_deinit(&blocks);
	strbuf_deinit(&body);
	return whole;
}

const struct trace_part *trace_parts_next(const struct trace_parts *p, uint64_t offset)
{
	size_t at = bisect(p->parts.n, i, p->parts.v[i].offset < offset);

	if (at == p->parts.n || p->parts.v[at].offset != offset)
		return NULL;
	while (!p->parts.v[at].wanted)
		at++;
	return &p->parts.v[at];
}
