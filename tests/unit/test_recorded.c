/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is read through a struct recorded_memory, and the records that this creates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/chunks.h"
#include "trace/format/coding.h"
#include "trace/format/records.h"
#include "trace/record/recorded_memory.h"

/* Adds the memory in the records to c, in the same order. The chunks refer to `records`. */
static void play(struct chunks *c, const struct strbuf *records)
{
	const uint8_t *p = (const uint8_t *)records->data;
	struct cursor in = {p, p + records->len, false};
	uint64_t addr = 0;

	while (cursor_left(&in)) {
		const uint64_t type = cursor_uint(&in, 1), n = cursor_uleb(&in);
		struct cursor r = {in.p, in.p + n, false};

		addr += (uint64_t)take_signed(&r);
		if (type == RECORD_MISSING) {
			const uint64_t size = cursor_uleb(&r);

			chunks_add_error(c, addr, size, -(int)cursor_uleb(&r));
		} else {
			assert_int_equal(type, RECORD_MEMORY);
			chunks_add(c, addr, r.p, cursor_left(&r));
		}
		cursor_skip(&in, n);
		assert_false(in.bad || r.bad);
	}
}

/*
 * The first read fails after 16 bytes, and its error is recorded for the rest of the page. The
 * bytes of the second read are in the same page, but are not lost.
 */
static void test_bytes_after_error(void **state)
{
	static const char bytes[] = "0123456789abcdef";
	struct recorded_reads reads = {0};
	struct recorded_memory m;
	struct chunks live, played;
	struct strbuf records = {0};
	char buf[32];

	(void)state;
	chunks_init(&live);
	chunks_add_error(&live, 0x1000, 0x1000, -EFAULT);
	chunks_add(&live, 0x1000, bytes, 16);
	chunks_add(&live, 0x1800, bytes, 16);
	recorded_memory_init(&m, &live.memory, &reads);
	assert_int_equal(memory_read_some(&m.memory, 0x1000, buf, 32), 16);
	assert_int_equal(memory_read_some(&m.memory, 0x1800, buf, 16), 16);
	recorded_reads_put(&reads, &records, 4096 * 4);
	chunks_init(&played);
	play(&played, &records);
	assert_int_equal(memory_read_some(&played.memory, 0x1000, buf, 32), 16);
	assert_memory_equal(buf, bytes, 16);
	assert_int_equal(memory_read_some(&played.memory, 0x1010, buf, 16), -EFAULT);
	assert_int_equal(memory_read_some(&played.memory, 0x1800, buf, 32), 16);
	assert_memory_equal(buf, bytes, 16);
	chunks_deinit(&played);
	chunks_deinit(&live);
	recorded_reads_deinit(&reads);
	strbuf_deinit(&records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_after_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
