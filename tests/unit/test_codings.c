/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encodings of raw stacks and directory entries in traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "defs.h"
#include "trace/format/dirent_coding.h"
#include "trace/format/raw_coding.h"
#include "util/mem.h"
#include "util/strbuf.h"

static struct raw_image image_of(uint64_t addr, size_t words, unsigned seed)
{
	struct raw_image i = {.regs_size = 216, .addr = addr};

	for (size_t k = 0; k < words; k++) {
		/*
		 * Every 40th word is the seed. The other words contain their own addresses divided
		 * by 8.
		 */
		uint64_t word = (addr / 8 + k) % 40 ? addr / 8 + k : seed;

		strbuf_add(&i.stack, (const char *)&word, sizeof(word));
	}
	for (unsigned k = 0; k < 27; k++)
		i.words[k] = k % 3 ? k : seed;
	return i;
}

/* Recorded stacks that grow, shrink and move are read back unchanged and take less space. */
static void test_raw(void **state)
{
	static const struct {
		uint64_t addr;
		size_t words;
	} shapes[] = {{0x7000, 300}, {0x7000, 300}, {0x6f00, 332}, {0x7800, 40},
		      {0x7000, 0},   {0x9000, 100}, {0x8ff8, 101}, {0x9008, 80}};
	/*
	 * Register values that the stop record already contains. Some of them are equal to the
	 * seed.
	 */
	struct raw_stop_values in_stop = {RAW_STOP_VALUES,
					  {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 0}};
	const struct raw_stop_values nothing = {0};
	struct raw_image old = {0}, got = {0};
	struct raw_implied_regs implied;
	struct strbuf b = {0};

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
		struct raw_image new = image_of(shapes[i].addr, shapes[i].words, i);
		struct cursor in;

		b.len = 0;
		in_stop.values[8] = i;
		raw_put(&b, &old, &new, i % 4 == 3 ? &nothing : &in_stop);
		in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + b.len};
		assert_true(raw_take(&in, &old, &got, &implied));
		assert_ptr_equal(in.p, in.end);
		assert_int_equal(implied.n, i % 4 == 3 || !i ? 0 : 9);
		assert_int_equal(raw_complete(&got, &implied, &nothing), !implied.n);
		assert_true(raw_complete(&got, &implied, &in_stop));
		assert_int_equal(got.addr, new.addr);
		assert_int_equal(got.regs_size, 216);
		assert_memory_equal(got.regs, new.regs, 216);
		assert_int_equal(got.stack.len, new.stack.len);
		if (new.stack.len)
			assert_memory_equal(got.stack.data, new.stack.data, new.stack.len);
		if (i == 1)
			assert_true(b.len < 400);
		/* A truncated record is rejected, whatever the length. */
		for (size_t n = 0; n < b.len; n++) {
			in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + n};
			assert_false(raw_take(&in, &old, &got, &implied));
		}
		raw_image_deinit(&old);
		old = new;
	}
	raw_image_deinit(&old);
	raw_image_deinit(&got);
	strbuf_deinit(&b);
}

/*
 * Appends a directory entry in the format of getdents64(2). The padding up to a multiple of 8 bytes
 * is arbitrary.
 */
static void add_entry(struct strbuf *b, uint64_t ino, uint64_t off, const char *name)
{
	size_t length = (19 + strlen(name) + 1 + 7) & ~(size_t)7, at = b->len;

	put_uint(b, ino, 8);
	put_uint(b, off, 8);
	put_uint(b, length, 2);
	strbuf_putc(b, (char)strlen(name));
	strbuf_add(b, name, strlen(name) + 1);
	strbuf_pad(b, 'Z', at + length - b->len);
}

/*
 * Directory entries are read back unchanged, except that the padding after the names becomes zero.
 */
static void test_dirents(void **state)
{
	struct strbuf memory = {0}, b = {0};
	struct arena arena = {0};
	const uint8_t *got;
	struct cursor in;
	size_t n;

	(void)state;
	add_entry(&memory, 7, 1ull << 63, ".");
	add_entry(&memory, UINT64_MAX, 5, "four");
	add_entry(&memory, 1000, UINT64_MAX, "a name of exactly thirty-seven bytes!");
	assert_true(dirents_put(&b, (const uint8_t *)memory.data, memory.len));
	in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + b.len};
	got = dirents_take(&in, &arena, 4096, &n);
	assert_non_null(got);
	assert_int_equal(n, memory.len);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i], memory.data[i] == 'Z' ? 0 : (uint8_t)memory.data[i]);
	/*
	 * Records that are truncated or too long are rejected. Bytes after the end of a record are
	 * ignored.
	 */
	for (size_t cut = 0; cut < b.len; cut++) {
		in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + cut};
		assert_null(dirents_take(&in, &arena, 4096, &n));
	}
	in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + b.len};
	assert_null(dirents_take(&in, &arena, memory.len - 1, &n));
	/* Memory that ends within an entry is not encoded as directory entries. */
	for (size_t cut = 0; cut < memory.len; cut++)
		if (cut != 24 && cut != 48)
			assert_false(dirents_put(&b, (const uint8_t *)memory.data, cut));
	memory.data[16] = 32;
	assert_false(dirents_put(&b, (const uint8_t *)memory.data, 24));
	arena_reset(&arena);
	strbuf_deinit(&memory);
	strbuf_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_dirents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
