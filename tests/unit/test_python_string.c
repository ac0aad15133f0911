/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The strings of CPython in builds with and without the global interpreter lock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "stack/lang/python_read.h"

#define ADDR 0x7f0000001000ull

/* The string's state without the "interned" bits: a width of 2 bytes, compact, not ASCII. */
#define STATE (2u | 1u << 3)
#define ASCII (1u | 1u << 3 | 1u << 4)

static void check(unsigned version, bool free_threaded, unsigned interned_bits)
{
	const uint16_t header = free_threaded ? 32 : 16;
	const struct python_layout l = {.version = version,
					.free_threaded = free_threaded,
					.header = header,
					.unicode_ascii = header + 24,
					.unicode_compact = header + 40};
	const uint64_t length = 5;

	for (uint32_t interned = 0; interned < 4; interned++) {
		uint32_t state = STATE << interned_bits | interned;
		struct python_string s;
		uint8_t head[64] = {0};

		memcpy(head + header, &length, sizeof(length));
		memcpy(head + header + 16, &state, sizeof(state));
		assert_true(python_string_of(&l, ADDR, head, &s));
		assert_int_equal(s.length, length);
		assert_int_equal(s.width, 2);
		assert_int_equal(s.addr, ADDR + header + 40);

		state = ASCII << interned_bits | interned;
		memcpy(head + header + 16, &state, sizeof(state));
		assert_true(python_string_of(&l, ADDR, head, &s));
		assert_int_equal(s.width, 1);
		assert_int_equal(s.addr, ADDR + header + 24);

		/* a string that is not compact */
		state = 1u << interned_bits | interned;
		memcpy(head + header + 16, &state, sizeof(state));
		assert_false(python_string_of(&l, ADDR, head, &s));
	}
}

static void test_state(void **state attr_unused)
{
	check(0x30c, false, 2);
	check(0x30d, false, 2);
	check(0x30e, false, 2);
	check(0x30d, true, 2);
	check(0x30e, true, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
