/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/recorded_memory.h"

#include <stdlib.h>
#include <string.h>

#include "trace/format/coding.h"
#include "trace/format/dirent_coding.h"
#include "trace/format/records.h"

#define PAGE 4096u

static struct recorded_memory *recorded_of(struct memory *m)
{
	return container_of(m, struct recorded_memory, memory);
}

/* Returns the number of known bytes from addr on, and sets *bytes to the first of them. */
static size_t known_at(const struct recorded_reads *r, uint64_t addr, const uint8_t **bytes)
{
	size_t best = 0;

	for (size_t i = r->known.n; i-- > 0;) {
		const struct memory_piece *p = &r->known.v[i];

		if (addr - p->addr < p->n && p->n - (addr - p->addr) > best) {
			best = p->n - (addr - p->addr);
			*bytes = p->bytes + (addr - p->addr);
		}
	}
	return best;
}

void recorded_reads_know(struct recorded_reads *r, uint64_t addr, const uint8_t *bytes, size_t n)
{
	if (n)
		*vec_push(&r->known) = (struct memory_piece){addr, n, bytes, 0};
}

static void use(struct recorded_reads *r, uint64_t addr, const uint8_t *bytes, size_t n)
{
	if (!n)
		return;
	*vec_push(&r->used) = (struct memory_piece){addr, n, bytes, 0};
	r->used_bytes += n;
}

/*
 * Records that reading at addr failed. The rest of the page cannot be read either, because mappings
 * end at page boundaries.
 */
static void use_error(struct recorded_reads *r, uint64_t addr, int error)
{
	*vec_push(&r->used) = (struct memory_piece){addr, PAGE - addr % PAGE, NULL, error};
}

static ssize_t recorded_read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct recorded_memory *rm = recorded_of(m);
	struct recorded_reads *r = rm->reads;
	const uint8_t *bytes = NULL;
	uint8_t *copy;
	ssize_t got;

	if (r->off)
		return memory_read_some(rm->live, addr, buf, n);
	if (known_at(r, addr, &bytes) >= n) {
		memcpy(buf, bytes, n);
		use(r, addr, bytes, n);
		return (ssize_t)n;
	}
	got = memory_read_some(rm->live, addr, buf, n);
	if (got > 0) {
		copy = arena_alloc(&r->arena, (size_t)got);
		memcpy(copy, buf, (size_t)got);
		recorded_reads_know(r, addr, copy, (size_t)got);
		use(r, addr, copy, (size_t)got);
	}
	if (got < (ssize_t)n)
		use_error(r, addr + (got > 0 ? (uint64_t)got : 0), got < 0 ? (int)got : -EFAULT);
	return got;
}

static int recorded_read(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	ssize_t got = recorded_read_some(m, addr, buf, n);

	if (got < 0)
		return (int)got;
	return (size_t)got < n ? -EFAULT : 0;
}

/* Reads a string. The bytes after the string are not recorded, even if they were read. */
static ssize_t recorded_read_string(struct memory *m, uint64_t addr, char *buf, size_t n)
{
	struct recorded_memory *rm = recorded_of(m);
	struct recorded_reads *r = rm->reads;
	const uint8_t *bytes = NULL;
	size_t known, len;
	uint8_t *copy;
	ssize_t got;

	if (r->off)
		return memory_read_string(rm->live, addr, buf, n);
	known = known_at(r, addr, &bytes);
	len = known ? strnlen((const char *)bytes, size_min(known, n)) : 0;
	if (known && (len < known || len == n)) {
		memcpy(buf, bytes, len);
		use(r, addr, bytes, len < n ? len + 1 : len);
		return (ssize_t)len;
	}
	got = memory_read_string(rm->live, addr, buf, n);
	if (got >= 0) {
		len = (size_t)got < n ? (size_t)got + 1 : n;
		copy = arena_alloc(&r->arena, len);
		memcpy(copy, buf, len);
		copy[len - 1] = (size_t)got < n ? 0 : copy[len - 1];
		recorded_reads_know(r, addr, copy, len);
		use(r, addr, copy, len);
		return got;
	}
	/* The string has no NUL in the readable memory. Record the part that can be read. */
	for (uint64_t at = addr;;) {
		size_t piece = PAGE - at % PAGE;
		ssize_t some;

		copy = arena_alloc(&r->arena, piece);
		some = memory_read_some(rm->live, at, copy, piece);
		if (some > 0)
			use(r, at, copy, (size_t)some);
		if (some == (ssize_t)piece && at + piece - addr < n) {
			at += piece;
			continue;
		}
		use_error(r, at + (some > 0 ? (uint64_t)some : 0), some < 0 ? (int)some : -EFAULT);
		return got;
	}
}

static const struct memory_ops recorded_ops = {.read_some = recorded_read_some,
					       .read = recorded_read,
					       .read_string = recorded_read_string};

void recorded_memory_init(struct recorded_memory *m, struct memory *live,
			  struct recorded_reads *reads)
{
	*m = (struct recorded_memory){.memory.ops = &recorded_ops, .live = live, .reads = reads};
}

void recorded_reads_clear(struct recorded_reads *r)
{
	arena_reset(&r->arena);
	r->known.n = r->used.n = 0;
	r->used_bytes = 0;
	r->dirents = false;
}

void recorded_reads_deinit(struct recorded_reads *r)
{
	recorded_reads_clear(r);
	vec_deinit(&r->known);
	vec_deinit(&r->used);
	strbuf_deinit(&r->gathered);
}

/*
 * Compares for qsort(3). Pieces with errors come before pieces with bytes. Because a later record
 * replaces earlier ones where they overlap (capture/chunks.h), bytes have precedence over errors.
 * Pieces of the same kind are sorted by address.
 */
static int compare(const void *a, const void *b)
{
	const struct memory_piece *p = a, *q = b;

	if (!p->bytes != !q->bytes)
		return p->bytes ? 1 : -1;
	if (p->addr != q->addr)
		return p->addr < q->addr ? -1 : 1;
	return p->n > q->n ? -1 : p->n < q->n;
}

/*
 * A memory record that is being built. Adjacent pieces of memory are joined in one record.
 */
struct gathering {
	struct strbuf *out;
	bool dirents;	     /* true if the bytes may be directory entries */
	uint64_t last;	     /* address of the previous record */
	uint64_t start, end; /* address range of the bytes gathered so far */
	struct strbuf *bytes;
};

static unsigned number_size(uint64_t n)
{
	unsigned size = 1;

	while (n >>= 7)
		size++;
	return size;
}

static void put_address(struct strbuf *b, uint64_t addr, uint64_t *last)
{
	put_signed(b, (int64_t)(addr - *last));
	*last = addr;
}

static unsigned address_size(uint64_t addr, uint64_t last)
{
	int64_t n = (int64_t)(addr - last);

	return number_size((uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

/*
 * Writes the gathered bytes as a DIRENTS record. If the bytes are not directory entries, writes
 * nothing and returns false.
 */
static bool gathered_dirents(struct gathering *g)
{
	struct strbuf rest = {0};
	uint64_t last = g->last;
	bool are;

	put_address(&rest, g->start, &last);
	are = dirents_put(&rest, (const uint8_t *)g->bytes->data, g->bytes->len);
	if (are) {
		strbuf_putc(g->out, RECORD_DIRENTS);
		put_bytes(g->out, rest.data, rest.len);
		g->last = last;
		g->bytes->len = 0;
		g->start = g->end = 0;
	}
	strbuf_deinit(&rest);
	return are;
}

static void gathered(struct gathering *g)
{
	if (g->start == g->end)
		return;
	if (g->dirents && gathered_dirents(g))
		return;
	strbuf_putc(g->out, RECORD_MEMORY);
	put_uleb(g->out, address_size(g->start, g->last) + g->bytes->len);
	put_address(g->out, g->start, &g->last);
	strbuf_add(g->out, g->bytes->data, g->bytes->len);
	g->bytes->len = 0;
	g->start = g->end = 0;
}

static void gather(struct gathering *g, const struct memory_piece *p)
{
	uint64_t skip;

	if (g->start == g->end || p->addr > g->end) {
		gathered(g);
		g->start = g->end = p->addr;
	}
	if (p->addr + p->n <= g->end)
		return;
	skip = g->end - p->addr;
	strbuf_add(g->bytes, (const char *)p->bytes + skip, p->n - skip);
	g->end = p->addr + p->n;
}

static void put_error(struct strbuf *out, const struct memory_piece *p, uint64_t *last)
{
	unsigned error = (unsigned)-p->error;

	strbuf_putc(out, RECORD_MISSING);
	put_uleb(out, address_size(p->addr, *last) + number_size(p->n) + number_size(error));
	put_address(out, p->addr, last);
	put_uleb(out, p->n);
	put_uleb(out, error);
}

void recorded_reads_put(struct recorded_reads *r, struct strbuf *out, size_t max)
{
	struct gathering g = {.out = out, .dirents = r->dirents, .bytes = &r->gathered};
	size_t start = out->len;

	if (!r->used.n)
		return;
	if (r->used.n > 1)
		qsort(r->used.v, r->used.n, sizeof(r->used.v[0]), compare);
	vec_for_each (&r->used, p) {
		if (out->len - start + g.bytes->len + p->n > max)
			break;
		if (p->bytes)
			gather(&g, p);
		else if (p == r->used.v || p[-1].addr != p->addr)
			put_error(out, p, &g.last);
	}
	gathered(&g);
}
