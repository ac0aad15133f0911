/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPython's line tables. See Objects/lnotab_notes.txt and Objects/locations.md in its sources for
 * the formats.
 */
#include "stack/lang/python_layout.h"

/*
 * Finds a line in a table of Python 3.9 or older. A table consists of pairs: an increment of the
 * bytecode offset, and an increment of the line.
 */
static unsigned line_of_pairs(const uint8_t *t, size_t n, int64_t line, uint64_t at)
{
	uint64_t reached = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		reached += t[i];
		if (reached > at)
			break;
		line += (int8_t)t[i + 1];
	}
	return line > 0 ? line : 0;
}

/*
 * Finds a line in a table of Python 3.10. A table consists of pairs: the length of a bytecode
 * range, and an increment of the line. The increment -128 means that the range has no line.
 */
static unsigned line_of_ranges(const uint8_t *t, size_t n, int64_t line, uint64_t at)
{
	uint64_t end = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		const int8_t delta = (int8_t)t[i + 1];

		end += t[i];
		line += delta == -128 ? 0 : delta;
		if (at < end)
			return delta == -128 || line < 0 ? 0 : line;
	}
	return 0;
}

struct bytes {
	const uint8_t *p, *end;
};

static uint64_t varint(struct bytes *b)
{
	uint64_t v = 0;

	for (unsigned shift = 0; b->p < b->end; shift += 6) {
		const uint8_t c = *b->p++;

		if (shift < 60)
			v |= (uint64_t)(c & 63) << shift;
		if (!(c & 64))
			break;
	}
	return v;
}

static int64_t signed_varint(struct bytes *b)
{
	const uint64_t v = varint(b);

	return v & 1 ? -(int64_t)(v >> 1) : (int64_t)(v >> 1);
}

/* The forms of an entry in the location table of 3.11. */
enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NO_LOCATION = 15 };

/*
 * Finds a line in a table of Python 3.11 or newer. An entry of a table has a form, a number of code
 * units, and data that depends on the form.
 */
static unsigned line_of_locations(const uint8_t *t, size_t n, uint64_t line, uint64_t at)
{
	struct bytes b = {t, t + n};
	uint64_t end = 0;

	while (b.p < b.end) {
		const uint8_t head = *b.p++;
		const unsigned form = head >> 3 & 15;
		bool none = false;

		end += ((head & 7) + 1) * 2;
		if (form == NO_LOCATION) {
			none = true;
		} else if (form == LONG) {
			line += signed_varint(&b);
			for (int i = 0; i < 3; i++)
				varint(&b);
		} else if (form == NO_COLUMNS) {
			line += signed_varint(&b);
		} else if (form >= ONE_LINE) {
			line += form - ONE_LINE;
			b.p += 2;
		} else {
			b.p++;
		}
		if (at < end)
			return none || line > INT32_MAX ? 0 : line;
	}
	return 0;
}

unsigned python_line(unsigned version, const uint8_t *table, size_t n, int first, uint64_t at)
{
	if (!table)
		return 0;
	if (version < 0x30a)
		return line_of_pairs(table, n, first, at);
	if (version == 0x30a)
		return line_of_ranges(table, n, first, at * 2);
	return line_of_locations(table, n, first, at);
}
