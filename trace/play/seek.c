/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/seek.h"

#include "trace/format/index.h"

/*
 * Bisection ends when the range of file offsets has at most NEAR_BYTES. From there, the search goes
 * backwards in steps. The first step has BACK_BYTES.
 */
#define NEAR_BYTES (256u << 10)
#define BACK_BYTES ((uint64_t)4 << 20)

/* The goal of a search, and the best block found so far. */
struct search {
	const struct block_reader *reader;
	int64_t when;
	bool found;
	uint64_t offset;
};

/*
 * Checks a block. Returns false if the block's time is after s->when. In this case, all later
 * blocks are too late, too. Otherwise returns true and, if the block is a STATE block, makes it the
 * best block so far.
 */
static bool consider(struct search *s, uint8_t kind, int64_t first, int64_t real, uint64_t offset)
{
	int64_t time;

	if (kind != BLOCK_STATE && kind != BLOCK_EVENTS)
		return true;
	if (__builtin_add_overflow(first, real, &time) || time > s->when)
		return false;
	if (kind == BLOCK_STATE) {
		s->found = true;
		s->offset = offset;
	}
	return true;
}

/*
 * Searches the INDEX blocks from the last to the first. Returns false if the index is missing or
 * damaged.
 */
static bool search_index(struct search *s)
{
	uint64_t offset = index_last(s->reader);
	bool whole = offset != 0;
	index_entries e = {0};

	while (whole && offset && !s->found) {
		whole = index_read(s->reader, &offset, &e);
		for (size_t i = 0; i < e.n && whole; i++)
			if (!consider(s, e.v[i].kind, e.v[i].first, e.v[i].real, e.v[i].offset))
				break;
	}
	vec_deinit(&e);
	return whole;
}

/* Checks the blocks in a range of offsets until one is too late. */
static void walk(struct search *s, uint64_t from, uint64_t to)
{
	uint64_t offset, next;
	struct block_header h;

	while (from < to) {
		if (block_header_at(s->reader, from, &h, &next))
			offset = from;
		else if (!block_find(s->reader, from, to, &h, &offset, &next))
			return;
		if (!consider(s, h.kind, (int64_t)h.first, h.real, offset))
			return;
		from = next;
	}
}

/*
 * Finds the first STATE or EVENTS block in a range of file offsets, and sets *offset to the block's
 * offset. Returns false if there is no such block, or if the block's time is after s->when.
 */
static bool begins_early(struct search *s, uint64_t from, uint64_t to, uint64_t *offset)
{
	struct block_header h;
	uint64_t next;

	for (; block_find(s->reader, from, to, &h, offset, &next); from = next)
		if (h.kind == BLOCK_STATE || h.kind == BLOCK_EVENTS)
			return consider(s, h.kind, (int64_t)h.first, h.real, *offset);
	return false;
}

/*
 * Searches a file that has no index: bisects it by time, then searches backwards for a STATE block.
 */
static void search_halves(struct search *s)
{
	uint64_t early = 0, late = block_reader_size(s->reader), offset;

	while (late - early > NEAR_BYTES) {
		uint64_t middle = early + (late - early) / 2;

		if (begins_early(s, middle, late, &offset))
			early = offset;
		else
			late = middle;
	}
	/* The bisection may have found a STATE block, but not the last one. */
	s->found = false;
	walk(s, early, late);
	for (uint64_t back = BACK_BYTES; !s->found && early; back *= 2) {
		uint64_t from = early > back ? early - back : 0;

		walk(s, from, early);
		early = from;
	}
}

bool seek_find(const struct block_reader *r, int64_t when, struct block_header *h,
	       struct strbuf *body, uint64_t *next)
{
	struct search s = {.reader = r, .when = when};

	if (!block_reader_size(r))
		return false;
	if (!search_index(&s)) {
		s.found = false;
		search_halves(&s);
	}
	return s.found && block_header_at(r, s.offset, h, next) && block_at(r, s.offset, h, body) &&
	       h->kind == BLOCK_STATE;
}

bool seek_ahead(struct block_reader *r, int64_t when)
{
	struct search s = {.reader = r, .when = when};
	struct block_header h;
	bool found = false;

	block_hold(r);
	while (block_peek(r, &h) && consider(&s, h.kind, (int64_t)h.first, h.real, 0)) {
		if (s.found)
			block_hold(r);
		found |= s.found;
		s.found = false;
		block_pass(r);
	}
	block_go_back(r);
	return found;
}
