/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/deflate.h"

#include <stdlib.h>

#include "util/mem.h"

#define WINDOW	    (32u << 10) /* bytes that a match may lie back */
#define HASHES	    (32u << 10)
#define MATCH_MIN   3
#define MATCH_MAX   258
#define NEAR	    (4u << 10) /* beyond that a match of MATCH_MIN is longer than its bytes */
#define CHAIN	    24	       /* earlier places that are tried for a match */
#define GOOD_MATCH  64	       /* a match of that length is taken without a look for a better one */
#define BLOCK	    (16 << 10) /* literals and matches that share their codes */
#define LITERALS    286	       /* bytes, the end of a block, and lengths */
#define DISTANCES   30
#define LENGTHS	    19 /* codes by which the lengths of the other codes are written */
#define END	    256
#define CODE_MAX    15 /* bits */
#define SYMBOLS_MAX LITERALS

/* A byte, if distance is 0; otherwise length bytes that are the same as those distance before. */
struct token {
	uint16_t length, distance;
};

/* The codes of an alphabet. */
struct codes {
	unsigned n; /* symbols */
	uint32_t uses[SYMBOLS_MAX];
	uint16_t code[SYMBOLS_MAX]; /* with its first bit lowest, as it is written */
	uint8_t bits[SYMBOLS_MAX];  /* its length; 0: the symbol is not used */
};

struct deflate {
	struct token tokens[BLOCK];
	unsigned ntokens;
	/* 1 + the last place of a hash, and for each place of the window the one before it. */
	uint32_t head[HASHES], before[WINDOW];
	struct codes literals, distances;
	struct strbuf *out;
	uint64_t pending; /* bits that make no whole byte yet */
	unsigned npending;
};

struct deflate *deflate_create(void)
{
	return mem_zalloc(sizeof(struct deflate));
}

void deflate_destroy(struct deflate *d)
{
	free(d);
}

/* ---- bits ---- */

/* Writes the lowest n bits of v, at most 32. */
static void put_bits(struct deflate *d, uint32_t v, unsigned n)
{
	d->pending |= (uint64_t)v << d->npending;
	d->npending += n;
	while (d->npending >= 8) {
		strbuf_putc(d->out, (char)d->pending);
		d->pending >>= 8;
		d->npending -= 8;
	}
}

static void put_symbol(struct deflate *d, const struct codes *c, unsigned symbol)
{
	put_bits(d, c->code[symbol], c->bits[symbol]);
}

/* ---- codes ---- */

/* A symbol that is used, or a node above two others. */
struct tree_node {
	uint32_t uses;
	uint16_t symbol;
	uint16_t parent; /* then its depth */
};

static int compare_uses(const void *a, const void *b)
{
	const struct tree_node *x = a, *y = b;

	if (x->uses != y->uses)
		return x->uses < y->uses ? -1 : 1;
	return x->symbol - y->symbol;
}

/* The next node to be joined: of the symbols and the nodes above them that with the fewest uses. */
static unsigned take_least(const struct tree_node *t, unsigned symbols, unsigned *symbol,
			   unsigned *node, unsigned nodes)
{
	if (*symbol < symbols && (*node == nodes || t[*symbol].uses <= t[*node].uses))
		return (*symbol)++;
	return (*node)++;
}

/*
 * Huffman's algorithm: t has n > 1 symbols, sorted by uses, and room for as many nodes. Afterwards
 * count[i] is the number of symbols whose code has i bits.
 */
static void count_lengths(struct tree_node *t, unsigned n, unsigned count[])
{
	unsigned symbol = 0, node = n, nodes = n;

	while (nodes < 2 * n - 1) {
		unsigned a = take_least(t, n, &symbol, &node, nodes);
		unsigned b = take_least(t, n, &symbol, &node, nodes);

		t[nodes].uses = t[a].uses + t[b].uses;
		t[a].parent = t[b].parent = nodes++;
	}
	t[nodes - 1].parent = 0;
	for (unsigned i = nodes - 1; i-- > 0;)
		t[i].parent = t[t[i].parent].parent + 1;
	for (unsigned i = 0; i < n; i++)
		count[t[i].parent]++;
}

/* Makes codes of more than max bits shorter, and others longer, until all fit together again. */
static void limit_lengths(unsigned count[], unsigned n, unsigned max)
{
	uint32_t room = 0;

	for (unsigned i = max + 1; i < n; i++) {
		count[max] += count[i];
		count[i] = 0;
	}
	for (unsigned i = 1; i <= max; i++)
		room += count[i] << (max - i);
	for (; room > 1u << max; room--) {
		unsigned i = max - 1;

		while (!count[i])
			i--;
		count[max]--;
		count[i]--;
		count[i + 1] += 2;
	}
}

/* Gives each symbol the code that its length alone decides (RFC 1951, 3.2.2). */
static void assign_codes(struct codes *c)
{
	unsigned count[CODE_MAX + 1] = {0}, next[CODE_MAX + 1] = {0};

	for (unsigned i = 0; i < c->n; i++)
		count[c->bits[i]]++;
	count[0] = 0;
	for (unsigned i = 1; i <= CODE_MAX; i++)
		next[i] = (next[i - 1] + count[i - 1]) << 1;
	for (unsigned i = 0; i < c->n; i++) {
		unsigned code = c->bits[i] ? next[c->bits[i]]++ : 0, reversed = 0;

		for (unsigned bit = 0; bit < c->bits[i]; bit++)
			reversed |= (code >> bit & 1) << (c->bits[i] - 1 - bit);
		c->code[i] = reversed;
	}
}

/* Makes the codes for symbols that are used as c->uses says, none longer than max bits. */
static void make_codes(struct codes *c, unsigned max)
{
	struct tree_node tree[2 * SYMBOLS_MAX];
	unsigned count[SYMBOLS_MAX] = {0}, n = 0, used = 0, at = 0;

	for (unsigned i = 0; i < c->n; i++)
		used += c->uses[i] != 0;
	/* A code for one symbol alone would leave others out, which not every reader takes. */
	for (unsigned i = 0; used < 2; i++) {
		used += !c->uses[i];
		c->uses[i] += !c->uses[i];
	}
	for (unsigned i = 0; i < c->n; i++) {
		c->bits[i] = 0;
		if (c->uses[i])
			tree[n++] = (struct tree_node){.uses = c->uses[i], .symbol = i};
	}
	qsort(tree, n, sizeof(*tree), compare_uses);
	count_lengths(tree, n, count);
	limit_lengths(count, n, max);
	for (unsigned bits = max; bits; bits--)
		for (unsigned i = 0; i < count[bits]; i++)
			c->bits[tree[at++].symbol] = bits;
	assign_codes(c);
}

/* ---- lengths and distances ---- */

/* How a length or distance is written: a symbol, and extra bits that follow it. */
struct coded {
	unsigned symbol, extra, bits;
};

/*
 * Values from 0 on in groups: the first 2 * per values have a symbol each; then each group of per
 * symbols has values with one bit more than the group before.
 */
static struct coded code_value(unsigned v, unsigned per_log2)
{
	unsigned per = 1u << per_log2, bits;

	if (v < 2 * per)
		return (struct coded){.symbol = v};
	bits = 31 - __builtin_clz(v) - per_log2;
	return (struct coded){
		.symbol = bits * per + (v >> bits), .extra = v & ((1u << bits) - 1), .bits = bits};
}

static struct coded code_length(unsigned length)
{
	struct coded c;

	if (length == MATCH_MAX)
		return (struct coded){.symbol = LITERALS - 1};
	c = code_value(length - MATCH_MIN, 2);
	c.symbol += END + 1;
	return c;
}

static struct coded code_distance(unsigned distance)
{
	return code_value(distance - 1, 1);
}

/* ---- blocks ---- */

/* The lengths of both alphabets' codes, one after another, with runs of them cut short. */
struct packed_lengths {
	struct codes codes;
	uint8_t symbol[LITERALS + DISTANCES], extra[LITERALS + DISTANCES];
	unsigned n;
};

static void pack_one(struct packed_lengths *p, unsigned symbol, unsigned extra)
{
	p->symbol[p->n] = symbol;
	p->extra[p->n++] = extra;
	p->codes.uses[symbol]++;
}

static void pack_lengths(struct packed_lengths *p, const uint8_t *bits, unsigned n)
{
	for (unsigned i = 0; i < n;) {
		unsigned run = 1;

		while (i + run < n && bits[i + run] == bits[i])
			run++;
		i += run;
		if (!bits[i - 1]) {
			for (; run >= 11; run -= run < 138 ? run : 138)
				pack_one(p, 18, (run < 138 ? run : 138) - 11);
			if (run >= 3) {
				pack_one(p, 17, run - 3);
				run = 0;
			}
		} else {
			pack_one(p, bits[i - 1], 0);
			for (run--; run >= 3; run -= run < 6 ? run : 6)
				pack_one(p, 16, (run < 6 ? run : 6) - 3);
		}
		while (run--)
			pack_one(p, bits[i - 1], 0);
	}
}

static unsigned used_symbols(const struct codes *c, unsigned least)
{
	unsigned n = c->n;

	while (n > least && !c->bits[n - 1])
		n--;
	return n;
}

/* Writes which codes the block has. */
static void put_codes(struct deflate *d)
{
	static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,	 6, 10, 5,
					       11, 4,  12, 3, 13, 2, 14, 1, 15};
	struct packed_lengths p = {.codes.n = LENGTHS};
	unsigned literals = used_symbols(&d->literals, END + 1), lengths = LENGTHS;
	unsigned distances = used_symbols(&d->distances, 1);
	uint8_t bits[LITERALS + DISTANCES];

	memcpy(bits, d->literals.bits, literals);
	memcpy(bits + literals, d->distances.bits, distances);
	pack_lengths(&p, bits, literals + distances);
	make_codes(&p.codes, 7);
	while (lengths > 4 && !p.codes.bits[order[lengths - 1]])
		lengths--;
	put_bits(d, literals - END - 1, 5);
	put_bits(d, distances - 1, 5);
	put_bits(d, lengths - 4, 4);
	for (unsigned i = 0; i < lengths; i++)
		put_bits(d, p.codes.bits[order[i]], 3);
	for (unsigned i = 0; i < p.n; i++) {
		put_symbol(d, &p.codes, p.symbol[i]);
		if (p.symbol[i] >= 16)
			put_bits(d, p.extra[i], p.symbol[i] == 16 ? 2 : p.symbol[i] == 17 ? 3 : 7);
	}
}

static void count_uses(struct deflate *d)
{
	d->literals = (struct codes){.n = LITERALS};
	d->distances = (struct codes){.n = DISTANCES};
	for (unsigned i = 0; i < d->ntokens; i++) {
		const struct token *t = &d->tokens[i];

		if (!t->distance) {
			d->literals.uses[t->length]++;
			continue;
		}
		d->literals.uses[code_length(t->length).symbol]++;
		d->distances.uses[code_distance(t->distance).symbol]++;
	}
	d->literals.uses[END]++;
}

static void put_coded(struct deflate *d, const struct codes *codes, struct coded c)
{
	put_symbol(d, codes, c.symbol);
	put_bits(d, c.extra, c.bits);
}

static void put_block(struct deflate *d, bool last)
{
	count_uses(d);
	make_codes(&d->literals, CODE_MAX);
	make_codes(&d->distances, CODE_MAX);
	put_bits(d, last, 1);
	put_bits(d, 2, 2);
	put_codes(d);
	for (unsigned i = 0; i < d->ntokens; i++) {
		const struct token *t = &d->tokens[i];

		if (!t->distance) {
			put_symbol(d, &d->literals, t->length);
			continue;
		}
		put_coded(d, &d->literals, code_length(t->length));
		put_coded(d, &d->distances, code_distance(t->distance));
	}
	put_symbol(d, &d->literals, END);
	d->ntokens = 0;
}

static void add_token(struct deflate *d, unsigned length, unsigned distance)
{
	if (d->ntokens == BLOCK)
		put_block(d, false);
	d->tokens[d->ntokens++] = (struct token){length, distance};
}

/* ---- matches ---- */

/* Enters the place at, behind which there are at least MATCH_MIN bytes; returns the last such one.
 */
static uint32_t enter_place(struct deflate *d, const uint8_t *in, uint32_t at)
{
	uint32_t three = in[at] | in[at + 1] << 8 | (uint32_t)in[at + 2] << 16;
	uint32_t hash = (three * 0x9e3779b1u) >> 17, last = d->head[hash];

	d->before[at % WINDOW] = last;
	d->head[hash] = at + 1;
	return last;
}

static unsigned match_length(const uint8_t *a, const uint8_t *b, unsigned max)
{
	unsigned n = 0;

	while (n < max && a[n] == b[n])
		n++;
	return n;
}

/* Enters the place at, and finds the longest match for what is there, if longer than least. */
static struct token find_match(struct deflate *d, const uint8_t *in, uint32_t at, size_t n,
			       unsigned least)
{
	struct token best = {.length = least};
	unsigned max = n - at < MATCH_MAX ? n - at : MATCH_MAX;
	uint32_t place;

	if (max < MATCH_MIN)
		return best;
	place = enter_place(d, in, at);
	for (unsigned i = 0; i < CHAIN && place && best.length < max; i++) {
		uint32_t from = place - 1;
		unsigned length;

		if (at - from > WINDOW)
			break;
		if (in[from + best.length] == in[at + best.length]) {
			length = match_length(in + from, in + at, max);
			if (length > best.length && (length > MATCH_MIN || at - from <= NEAR))
				best = (struct token){length, at - from};
		}
		place = d->before[from % WINDOW];
		/* The place may be of bytes further on, that have taken its slot. */
		if (place > from)
			break;
	}
	return best;
}

void deflate_bytes(struct deflate *d, struct strbuf *out, const void *bytes, size_t n)
{
	const uint8_t *in = bytes;
	struct token next;
	uint32_t at = 0;

	memset(d->head, 0, sizeof(d->head));
	d->out = out;
	next = n ? find_match(d, in, 0, n, MATCH_MIN - 1) : (struct token){0};
	while (at < n) {
		struct token t = next;

		/* A byte alone is better than a match if a longer one begins behind it. */
		next = (struct token){0};
		if (at + 1 < n && t.length < GOOD_MATCH)
			next = find_match(d, in, at + 1, n, t.distance ? t.length : MATCH_MIN - 1u);
		if (!t.distance || next.distance) {
			add_token(d, in[at++], 0);
			continue;
		}
		add_token(d, t.length, t.distance);
		for (uint32_t i = at + (t.length < GOOD_MATCH ? 2 : 1); i < at + t.length; i++)
			if (n - i >= MATCH_MIN)
				enter_place(d, in, i);
		at += t.length;
		if (at < n)
			next = find_match(d, in, at, n, MATCH_MIN - 1);
	}
	put_block(d, true);
	if (d->npending)
		put_bits(d, 0, 8 - d->npending);
}
