/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Appends numbers to a byte string, with every length and every remaining capacity. The result must
 * be the same as the result of printf(3).
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "util/strbuf.h"

/*
 * Appends each number after the previous numbers, so that some numbers cross the end of the
 * allocated space.
 */
static void check(struct strbuf *b, uint64_t v)
{
	char expected[64];
	size_t start = b->len, n;

	n = (size_t)snprintf(expected, sizeof(expected), "%" PRIu64 " %" PRId64 " %#" PRIx64, v,
			     (int64_t)v, v);
	strbuf_udec(b, v);
	strbuf_putc(b, ' ');
	strbuf_dec(b, (int64_t)v);
	strbuf_putc(b, ' ');
	strbuf_hex(b, v);
	assert_int_equal(b->len - start, n);
	assert_memory_equal(b->data + start, expected, n);
}

static void test_numbers(void **state attr_unused)
{
	struct strbuf b = {0};
	uint64_t power = 1;

	for (uint64_t v = 0; v < 20000; v++)
		check(&b, v);
	for (unsigned digits = 1; digits < 20; digits++) {
		power *= 10;
		check(&b, power - 1);
		check(&b, power);
		check(&b, power + 1);
		check(&b, -power);
	}
	check(&b, UINT64_MAX);
	check(&b, INT64_MAX);
	check(&b, INT64_MIN);
	strbuf_deinit(&b);
}

static void test_bytes(void **state attr_unused)
{
	struct strbuf b = {0};

	strbuf_add(&b, NULL, 0);
	assert_int_equal(b.len, 0);
	for (unsigned i = 0; i < 1000; i++) {
		strbuf_puts(&b, "ab");
		strbuf_pad(&b, '-', i % 3);
	}
	assert_int_equal(b.len, 2999);
	assert_string_equal(strbuf_str(&b) + b.len - 4, "--ab");
	strbuf_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
