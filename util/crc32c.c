/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/crc32c.h"

#include <string.h>

/* The polynomial 0x1edc6f41, bit-reversed. */
#define POLYNOMIAL 0x82f63b78u

/*
 * Tables for processing eight bytes at a time. by_place[k] contains the contribution of a byte that
 * is followed by k more bytes.
 */
struct tables {
	bool made;
	uint32_t by_place[8][256];
};

static const struct tables *tables(void)
{
	static struct tables t;

	if (t.made)
		return &t;
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		t.by_place[0][i] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (int i = 0; i < 256; i++)
			t.by_place[k][i] = t.by_place[k - 1][i] >> 8 ^
					   t.by_place[0][t.by_place[k - 1][i] & 0xff];
	t.made = true;
	return &t;
}

uint32_t crc32c(const void *bytes, size_t n)
{
	const struct tables *t = tables();
	const uint8_t *p = bytes;
	uint32_t crc = ~0u;

	for (; n >= 8; n -= 8, p += 8) {
		uint32_t sum = 0;

		for (int k = 0; k < 4; k++) {
			sum ^= t->by_place[7 - k][(crc >> 8 * k & 0xff) ^ p[k]];
			sum ^= t->by_place[3 - k][p[4 + k]];
		}
		crc = sum;
	}
	for (; n; n--, p++)
		crc = crc >> 8 ^ t->by_place[0][(crc ^ *p) & 0xff];
	return ~crc;
}
