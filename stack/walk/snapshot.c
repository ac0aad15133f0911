/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/snapshot.h"

#include <stdlib.h>

#include "capture/memory.h"
#include "util/mem.h"

#define PAGE	   4096u
#define WINDOW_MAX (1u << 20)
#define GAP_MAX	   (64u << 10) /* a larger gap is not read, its pages are read singly */

static void grow(struct snapshot *s, size_t want)
{
	ssize_t got;

	if (s->cap < s->len + want) {
		s->cap = s->len + want;
		s->buf = mem_realloc(s->buf, s->cap);
	}
	s->reads++;
	got = memory_read_some(s->memory, s->base + s->len, s->buf + s->len, want);
	if (got < 0)
		got = 0;
	s->len += got;
	s->ended = (size_t)got < want;
}

void snapshot_begin(struct snapshot *s, struct memory *memory, uint64_t sp, size_t expect)
{
	uint64_t end = sp + size_min(size_max(expect, 2048), WINDOW_MAX);

	s->memory = memory;
	s->base = sp;
	s->len = 0;
	s->ended = false;
	s->reads = 0;
	for (unsigned i = 0; i < SNAPSHOT_PAGES; i++)
		s->pages[i].used = false;
	if (end < sp) {
		s->ended = true;
		return;
	}
	end = align_up(end,
		       PAGE); /* reading a whole page costs no more than reading a part of it */
	grow(s, end - sp);
}

void snapshot_deinit(struct snapshot *s)
{
	for (unsigned i = 0; i < SNAPSHOT_PAGES; i++)
		free(s->pages[i].data);
	free(s->buf);
	*s = (struct snapshot){0};
}

static struct snapshot_page *page_at(struct snapshot *s, uint64_t addr)
{
	struct snapshot_page *p;

	addr &= ~(uint64_t)(PAGE - 1);
	for (unsigned i = 0; i < SNAPSHOT_PAGES; i++)
		if (s->pages[i].used && s->pages[i].addr == addr)
			return &s->pages[i];
	p = &s->pages[s->next_page];
	s->next_page = (s->next_page + 1) % SNAPSHOT_PAGES;
	if (!p->data)
		p->data = mem_alloc(PAGE);
	p->addr = addr;
	s->reads++;
	p->used = !memory_read(s->memory, addr, p->data, PAGE);
	return p->used ? p : NULL;
}

bool snapshot_read_slow(struct snapshot *s, uint64_t addr, void *buf, size_t n)
{
	uint8_t *out = buf;

	if (addr + n < addr)
		return false;
	while (addr >= s->base && addr + n > s->base + s->len && !s->ended &&
	       addr + n - s->base <= WINDOW_MAX && addr <= s->base + s->len + GAP_MAX) {
		uint64_t need = addr + n - (s->base + s->len);
		uint64_t end = s->base + s->len + size_max(need, s->len);

		grow(s, align_up(end, PAGE) - (s->base + s->len));
	}
	if (addr >= s->base && addr + n <= s->base + s->len) {
		memcpy(buf, s->buf + (addr - s->base), n);
		return true;
	}
	while (n) {
		size_t at = addr % PAGE, part = size_min(n, PAGE - at);
		const struct snapshot_page *p = page_at(s, addr);

		if (p)
			memcpy(out, p->data + at, part);
		else if (memory_read(s->memory, addr, out, part)) /* a copy may begin in a page */
			return false;
		out += part;
		addr += part;
		n -= part;
	}
	return true;
}
