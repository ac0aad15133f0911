/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/octaves.h"

#include <inttypes.h>

#include "util/clock.h"

#define BAR_WIDTH 40

void octaves_count(struct octaves *o, uint64_t value)
{
	o->counts[value ? 64 - __builtin_clzll(value) : 0]++;
}

void octaves_add(struct octaves *o, const struct octaves *other)
{
	for (unsigned i = 0; i < OCTAVES; i++)
		o->counts[i] += other->counts[i];
}

/* Returns the lowest value of octave i. For OCTAVES, returns the highest possible value. */
static uint64_t lower_bound(unsigned i)
{
	return !i ? 0 : i < OCTAVES ? UINT64_C(1) << (i - 1) : UINT64_MAX;
}

/* Appends the bound of an octave, right-aligned: "512ns", "1.0us", "64K". */
static void put_bound(struct strbuf *b, uint64_t v, bool is_time)
{
	static const char *const times[] = {"ns", "us", "ms", "s"};
	static const char *const sizes[] = {"", "K", "M", "G", "T", "P", "E"};
	const size_t last = is_time ? ARRAY_SIZE(times) - 1 : ARRAY_SIZE(sizes) - 1;
	const double base = is_time ? 1000 : 1024;
	double shown = (double)v;
	size_t unit = 0;

	for (; shown >= base && unit < last; unit++)
		shown /= base;
	strbuf_printf(b, "%7.*f%-2s", is_time && unit ? 1 : 0, shown,
		      is_time ? times[unit] : sizes[unit]);
}

void octaves_draw(struct strbuf *b, const struct octaves *o, bool is_time)
{
	unsigned first = OCTAVES, last = 0;
	uint64_t most = 1;

	for (unsigned i = 0; i < OCTAVES; i++) {
		if (!o->counts[i])
			continue;
		first = first < i ? first : i;
		last = i;
		most = most > o->counts[i] ? most : o->counts[i];
	}
	for (unsigned i = first; i <= last && first < OCTAVES; i++) {
		const int bar = (int)((double)o->counts[i] / (double)most * BAR_WIDTH);

		put_bound(b, lower_bound(i), is_time);
		strbuf_puts(b, " ..");
		put_bound(b, lower_bound(i + 1), is_time);
		strbuf_puts(b, " |");
		strbuf_pad(b, '#', (size_t)bar);
		strbuf_pad(b, ' ', (size_t)(BAR_WIDTH - bar));
		strbuf_printf(b, "| %" PRIu64 "\n", o->counts[i]);
	}
}

static void put_json_bound(struct strbuf *b, uint64_t v, bool is_time)
{
	if (is_time)
		strbuf_printf(b, "%" PRIu64 ".%09" PRIu64, v / NSEC_PER_SEC, v % NSEC_PER_SEC);
	else
		strbuf_udec(b, v);
}

void octaves_put_json(struct strbuf *b, const struct octaves *o, bool is_time)
{
	bool any = false;

	strbuf_putc(b, '[');
	for (unsigned i = 0; i < OCTAVES; i++) {
		if (!o->counts[i])
			continue;
		strbuf_puts(b, any ? ",{\"from\":" : "{\"from\":");
		put_json_bound(b, lower_bound(i), is_time);
		strbuf_puts(b, ",\"to\":");
		put_json_bound(b, lower_bound(i + 1), is_time);
		strbuf_printf(b, ",\"count\":%" PRIu64 "}", o->counts[i]);
		any = true;
	}
	strbuf_putc(b, ']');
}
