/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/raw_coding.h"

#include <string.h>

/*
 * Minimum length of a run of unchanged words. Encoding a shorter run would take more space than
 * writing its words.
 */
#define WORTH 3

void raw_image_deinit(struct raw_image *i)
{
	strbuf_deinit(&i->stack);
}

static uint64_t word_at(const struct raw_image *i, size_t at)
{
	uint64_t word;

	memcpy(&word, i->stack.data + at, sizeof(word));
	return word;
}

/* Returns true if the word at offset `at` in `new` equals the word at the same address in `old`. */
static bool is_same(const struct raw_image *old, const struct raw_image *new, size_t at)
{
	uint64_t there = new->addr + at - old->addr;

	return there < old->stack.len && old->stack.len - there >= 8 &&
	       word_at(old, there) == word_at(new, at);
}

/*
 * Returns the length of the run of words that starts at offset `at`. If `same` is true, counts
 * unchanged words, otherwise changed words.
 */
static size_t run(const struct raw_image *old, const struct raw_image *new, size_t at, bool same)
{
	size_t n = 0;

	while (at + 8 * n + 8 <= new->stack.len && is_same(old, new, at + 8 * n) == same)
		n++;
	return n;
}

/*
 * Returns how many words to write, starting at offset `at`. The words are changed words, and short
 * runs of unchanged words between them.
 */
static size_t run_to_write(const struct raw_image *old, const struct raw_image *new, size_t at)
{
	size_t n = 0, same;

	for (;;) {
		n += run(old, new, at + 8 * n, false);
		same = run(old, new, at + 8 * n, true);
		if (!same || same >= WORTH)
			return n;
		n += same;
	}
}

struct raw_stop_values raw_stop_values_of(const struct syscall_regs *regs)
{
	struct raw_stop_values in_stop = {RAW_STOP_VALUES, {regs->ip, regs->sp, regs->nr}};

	memcpy(in_stop.values + 3, regs->args, sizeof(regs->args));
	return in_stop;
}

/*
 * If `word` equals one of the values, returns the value's index plus 1. Otherwise returns 0.
 */
static unsigned stop_value_index(const struct raw_stop_values *in_stop, uint64_t word)
{
	for (unsigned i = 0; i < in_stop->n; i++)
		if (in_stop->values[i] == word)
			return i + 1;
	return 0;
}

static void put_regs(struct strbuf *out, const struct raw_image *old, const struct raw_image *new,
		     const struct raw_stop_values *in_stop)
{
	const unsigned n = (new->regs_size + 7u) / 8;
	uint64_t changed = 0;

	for (unsigned i = 0; i < n; i++)
		if (new->words[i] != old->words[i])
			changed |= 1ull << i;
	put_uleb(out, new->regs_size);
	put_uleb(out, changed);
	for (unsigned i = 0; i < n; i++) {
		unsigned as;

		if (!(changed & 1ull << i))
			continue;
		as = stop_value_index(in_stop, new->words[i]);
		put_uleb(out, as);
		if (!as)
			put_signed(out, (int64_t)(new->words[i] - old->words[i]));
	}
}

void raw_put(struct strbuf *out, const struct raw_image *old, const struct raw_image *new,
	     const struct raw_stop_values *in_stop)
{
	put_regs(out, old, new, in_stop);
	put_signed(out, (int64_t)(new->addr - old->addr));
	put_uleb(out, new->stack.len / 8);
	for (size_t at = 0; at < new->stack.len;) {
		size_t same = run(old, new, at, true),
		       written = run_to_write(old, new, at + 8 * same);

		put_uleb(out, same);
		put_uleb(out, written);
		strbuf_add(out, new->stack.data + at + 8 * same, 8 * written);
		at += 8 * (same + written);
	}
}

static bool take_regs(struct cursor *in, const struct raw_image *old, struct raw_image *new,
		      struct raw_implied_regs *implied)
{
	uint64_t size = cursor_uleb(in), changed = cursor_uleb(in);

	if (in->bad || size > ARCH_REGS_MAX)
		return false;
	memcpy(new->words, old->words, sizeof(new->words));
	new->regs_size = (uint16_t)size;
	implied->n = 0;
	for (unsigned i = 0; i < (size + 7) / 8; i++) {
		uint64_t as = changed & 1ull << i ? cursor_uleb(in) : 0;

		if (as > RAW_STOP_VALUES)
			return false;
		if (as) {
			implied->regs[implied->n].word = (uint8_t)i;
			implied->regs[implied->n++].value = (uint8_t)(as - 1);
		} else if (changed & 1ull << i) {
			new->words[i] += (uint64_t)take_signed(in);
		}
	}
	return !in->bad;
}

bool raw_complete(struct raw_image *new, const struct raw_implied_regs *implied,
		  const struct raw_stop_values *in_stop)
{
	if (implied->n && !in_stop->n)
		return false;
	for (unsigned i = 0; i < implied->n; i++)
		new->words[implied->regs[i].word] = in_stop->values[implied->regs[i].value];
	return true;
}

bool raw_take(struct cursor *in, const struct raw_image *old, struct raw_image *new,
	      struct raw_implied_regs *implied)
{
	uint64_t words;

	if (!take_regs(in, old, new, implied))
		return false;
	new->addr = old->addr + (uint64_t)take_signed(in);
	words = cursor_uleb(in);
	if (in->bad || words > RAW_STACK_LIMIT / 8 || new->addr % 8 ||
	    new->addr > UINT64_MAX - RAW_STACK_LIMIT)
		return false;
	new->stack.len = 0;
	while (words) {
		uint64_t same = cursor_uleb(in), written = cursor_uleb(in);
		uint64_t from = new->addr + new->stack.len - old->addr;
		const uint8_t *bytes = written <= words ? cursor_skip(in, 8 * written) : NULL;

		if (in->bad || !bytes || same > words - written || !(same + written) ||
		    (same && (from > old->stack.len || 8 * same > old->stack.len - from)))
			return false;
		if (same)
			strbuf_add(&new->stack, old->stack.data + from, 8 * same);
		strbuf_add(&new->stack, (const char *)bytes, 8 * written);
		words -= same + written;
	}
	return true;
}
