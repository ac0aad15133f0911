/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * deflate_bytes() writes output that can be decompressed, and that is small if the input is
 * compressible.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inflate.h"
#include "util/deflate.h"

static struct deflate *d;

/* Compresses and decompresses `text`, and compares the result. Returns the compressed size. */
static size_t round_trip(const struct strbuf *text)
{
	struct strbuf packed = {0}, again = {0};
	size_t n;

	strbuf_puts(&packed, "in front");
	deflate_bytes(d, &packed, text->data, text->len);
	assert_memory_equal(packed.data, "in front", 8);
	n = packed.len - 8;
	inflate_bytes(&again, packed.data + 8, n);
	assert_int_equal(again.len, text->len);
	if (text->len)
		assert_memory_equal(again.data, text->data, text->len);
	strbuf_deinit(&packed);
	strbuf_deinit(&again);
	return n;
}

static void test_short(void **state)
{
	static const char *const texts[] = {"", "a", "ab", "abc", "aaa", "abcabc", "abcabcabcabc"};
	struct strbuf b = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		b.len = 0;
		strbuf_puts(&b, texts[i]);
		assert_true(round_trip(&b) < 40);
	}
	strbuf_deinit(&b);
}

/* Repetitions of the maximum length and at the maximum distance. */
static void test_repeated(void **state)
{
	struct strbuf b = {0};

	(void)state;
	for (int i = 0; i < 300000; i++)
		strbuf_putc(&b, 0);
	assert_true(round_trip(&b) < 500);
	b.len = 0;
	/*
	 * A repetition at a distance of 32,000 bytes is found. A distance of 32,769 is beyond the
	 * window.
	 */
	for (unsigned gap = 32000; gap <= 32769; gap += 769) {
		unsigned seed = 7;

		b.len = 0;
		for (unsigned i = 0; i < gap; i++)
			strbuf_putc(&b, (char)((seed = seed * 1103515245 + 12345) >> 16));
		for (unsigned i = 0; i < gap; i++)
			strbuf_putc(&b, b.data[i]);
		assert_true(round_trip(&b) < (gap == 32000 ? gap * 11 / 10 : gap * 22 / 10));
	}
	strbuf_deinit(&b);
}

/* Bytes of very different frequencies need codes of every length, and more than one block. */
static void test_random(void **state)
{
	struct strbuf b = {0};
	unsigned seed = 1;

	(void)state;
	for (unsigned shift = 0; shift < 16; shift++) {
		b.len = 0;
		for (unsigned i = 0; i < 40000; i++) {
			unsigned v = (seed = seed * 1103515245 + 12345) >> 8 & 0xffff;

			/* The probability of a byte halves with each leading zero. */
			strbuf_putc(&b, (char)(shift < 8 ? v >> shift
							 : (unsigned)__builtin_clz(v | 1) *
								   (shift - 7)));
		}
		assert_true(round_trip(&b) < 41000);
	}
	/* Byte counts that are Fibonacci numbers would need codes longer than 15 bits. */
	b.len = 0;
	for (unsigned c = 0, a1 = 1, a2 = 1; c < 24; c++) {
		for (unsigned i = 0; i < a1; i++)
			strbuf_putc(&b, (char)('a' + (c + (i % 2 ? 0 : 24))));
		a2 += a1;
		a1 = a2 - a1;
	}
	round_trip(&b);
	strbuf_deinit(&b);
}

static void test_text(void **state)
{
	struct strbuf b = {0};

	(void)state;
	for (int i = 0; i < 20000; i++)
		strbuf_printf(&b, "read(%d, \"line %d\\n\", 4096) = %d\n", i % 7, i, i % 100);
	assert_true(round_trip(&b) < b.len / 6);
	strbuf_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_text),
	};
	int status;

	d = deflate_create();
	status = cmocka_run_group_tests(tests, NULL, NULL);
	deflate_destroy(d);
	return status;
}
