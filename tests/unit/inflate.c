/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stddef.h>

#include <cmocka.h>

struct input {
	const uint8_t *bytes;
	size_t n, at; /* in bits */
};

/* The codes of an alphabet: how many have each length, and their symbols in order. */
struct alphabet {
	unsigned count[16], symbols[320];
};

static unsigned bits(struct input *in, unsigned n)
{
	unsigned v = 0;

	for (unsigned i = 0; i < n; i++, in->at++) {
		assert_true(in->at / 8 < in->n);
		v |= (in->bytes[in->at / 8] >> in->at % 8 & 1u) << i;
	}
	return v;
}

static void alphabet_make(struct alphabet *a, const unsigned *lengths, unsigned n)
{
	unsigned at = 0, room = 1;

	*a = (struct alphabet){0};
	for (unsigned length = 1; length < 16; length++) {
		for (unsigned i = 0; i < n; i++) {
			if (lengths[i] != length)
				continue;
			a->symbols[at++] = i;
			a->count[length]++;
		}
		room *= 2;
		assert_true(a->count[length] <= room);
		room -= a->count[length];
	}
	/* No code is missing, which some readers would not take. */
	assert_int_equal(room, 0);
}

static unsigned symbol(struct input *in, const struct alphabet *a)
{
	unsigned code = 0, first = 0, at = 0;

	for (unsigned length = 1; length < 16; length++) {
		code |= bits(in, 1);
		if (code - first < a->count[length])
			return a->symbols[at + code - first];
		at += a->count[length];
		first = (first + a->count[length]) << 1;
		code <<= 1;
	}
	fail_msg("no such code");
	return 0;
}

static void read_alphabets(struct input *in, struct alphabet *literals, struct alphabet *distances)
{
	static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
					11, 4,	12, 3, 13, 2, 14, 1, 15};
	unsigned nliterals = bits(in, 5) + 257, ndistances = bits(in, 5) + 1, n = bits(in, 4) + 4;
	unsigned lengths[320] = {0}, of_lengths[19] = {0};
	struct alphabet a;

	assert_true(nliterals <= 286 && ndistances <= 30);
	for (unsigned i = 0; i < n; i++)
		of_lengths[order[i]] = bits(in, 3);
	alphabet_make(&a, of_lengths, 19);
	for (unsigned i = 0; i < nliterals + ndistances;) {
		unsigned s = symbol(in, &a), what = s < 16 ? s : 0, times = 1;

		if (s == 16) {
			assert_true(i > 0);
			what = lengths[i - 1];
			times = bits(in, 2) + 3;
		} else if (s > 16) {
			times = s == 17 ? bits(in, 3) + 3 : bits(in, 7) + 11;
		}
		for (; times; times--, i++) {
			assert_true(i < nliterals + ndistances);
			lengths[i] = what;
		}
	}
	alphabet_make(literals, lengths, nliterals);
	alphabet_make(distances, lengths + nliterals, ndistances);
}

static void copy(struct strbuf *out, unsigned length, unsigned distance)
{
	assert_true(distance <= 32768 && distance <= out->len);
	while (length--)
		strbuf_putc(out, out->data[out->len - distance]);
}

void inflate_bytes(struct strbuf *out, const void *bytes, size_t n)
{
	static const unsigned length_base[] = {3,  4,  5,  6,	7,   8,	  9,   10,  11, 13,
					       15, 17, 19, 23,	27,  31,  35,  43,  51, 59,
					       67, 83, 99, 115, 131, 163, 195, 227, 258};
	static const unsigned length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
					       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
	struct input in = {.bytes = bytes, .n = n};
	struct strbuf text = {0};
	bool last = false;

	while (!last) {
		struct alphabet literals, distances;
		unsigned s;

		last = bits(&in, 1);
		assert_int_equal(bits(&in, 2), 2);
		read_alphabets(&in, &literals, &distances);
		while ((s = symbol(&in, &literals)) != 256) {
			unsigned length, d, distance;

			if (s < 256) {
				strbuf_putc(&text, (char)s);
				continue;
			}
			length = length_base[s - 257] + bits(&in, length_bits[s - 257]);
			d = symbol(&in, &distances);
			distance = d < 4 ? d + 1 : (2 + d % 2) << (d / 2 - 1);
			if (d >= 4)
				distance += 1 + bits(&in, d / 2 - 1);
			copy(&text, length, distance);
		}
	}
	assert_int_equal((in.at + 7) / 8, n);
	strbuf_add(out, text.data, text.len);
	strbuf_deinit(&text);
}
