/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Blocks of trace files. Packed blocks are read back unchanged, and all intact blocks of a damaged
 * file can still be read.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/format/block.h"
#include "trace/format/coding.h"
#include "util/crc32c.h"

#define BLOCKS 5

/*
 * A file with a few blocks. Each block contains its own index. One block is incompressible, and
 * another is empty.
 */
struct file {
	struct strbuf bytes;
	size_t ends[BLOCKS];
};

static uint32_t seed = 1;

static uint32_t rnd(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void body_of(struct strbuf *b, unsigned i)
{
	b->len = 0;
	for (unsigned k = 0; k < 60 * i; k++)
		strbuf_putc(b, i == 3 ? (char)rnd() : (char)('a' + i));
}

static void make(struct file *f)
{
	struct block_packer *p = block_packer_create();
	struct strbuf body = {0};

	*f = (struct file){0};
	seed = 1;
	for (unsigned i = 0; i < BLOCKS; i++) {
		const struct block_header h = {.kind = (uint8_t)(1 + i),
					       .stream = i,
					       .first = 1000 + i,
					       .last = 2000 + i,
					       .real = -5 - (int64_t)i,
					       .sequence = 7 * i,
					       .lost = i};

		body_of(&body, i);
		block_pack(p, &f->bytes, &h, body.data, body.len);
		f->ends[i] = f->bytes.len;
	}
	strbuf_deinit(&body);
	block_packer_destroy(p);
}

/*
 * Reads the remaining blocks and checks that their contents are unchanged. Returns a bit mask of
 * the blocks that were found.
 */
static unsigned found(struct block_reader *r)
{
	struct strbuf body = {0};
	struct block_header h;
	const uint8_t *bytes;
	unsigned seen = 0;
	size_t n;

	while (block_next(r, &h, &bytes, &n)) {
		unsigned i = h.kind - 1u;

		assert_true(i < BLOCKS && !(seen >> i));
		seen |= 1u << i;
		assert_int_equal(h.stream, i);
		assert_int_equal(h.first, 1000 + i);
		assert_int_equal(h.last, 2000 + i);
		assert_int_equal(h.real, -5 - (int64_t)i);
		assert_int_equal(h.sequence, 7 * i);
		assert_int_equal(h.lost, i);
		assert_int_equal(n, 60 * i);
		seed = 1;
		body_of(&body, i);
		if (n)
			assert_memory_equal(bytes, body.data, n);
	}
	strbuf_deinit(&body);
	return seen;
}

static void test_whole(void **state)
{
	struct block_reader *r;
	struct file f;
	int ends[2];

	(void)state;
	make(&f);
	r = block_reader_of_bytes(f.bytes.data, f.bytes.len);
	assert_int_equal(found(r), (1u << BLOCKS) - 1);
	assert_int_equal(block_reader_error(r), 0);
	assert_int_equal(block_reader_skipped(r), 0);
	assert_int_equal(block_reader_offset(r), f.ends[BLOCKS - 2]);
	assert_true(block_reader_seek(r, f.ends[1]));
	assert_int_equal(found(r), 4 + 8 + 16);
	block_reader_destroy(r);

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], f.bytes.data, f.bytes.len), f.bytes.len);
	close(ends[1]);
	r = block_reader_create(ends[0]);
	assert_int_equal(found(r), (1u << BLOCKS) - 1);
	assert_false(block_reader_seek(r, 0));
	assert_int_equal(block_reader_size(r), 0);
	block_reader_destroy(r);
	close(ends[0]);
	strbuf_deinit(&f.bytes);
}

/*
 * Reads blocks from a pipe. Every second block is larger than any buffer, so it arrives in parts.
 */
static void test_large(void **state)
{
	struct block_packer *p = block_packer_create();
	uint8_t *body = malloc(BLOCK_BODY_MAX);
	struct strbuf out = {0};
	struct block_header h;
	struct block_reader *r;
	const uint8_t *bytes;
	unsigned count = 0;
	int ends[2];
	pid_t child;
	size_t n;

	(void)state;
	for (size_t i = 0; i < BLOCK_BODY_MAX; i++)
		body[i] = (uint8_t)rnd();
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(ends[0]);
		for (unsigned i = 0; i < 6; i++) {
			out.len = 0;
			h = (struct block_header){.kind = BLOCK_EVENTS, .sequence = i};
			block_pack(p, &out, &h, body, i % 2 ? BLOCK_BODY_MAX : 100);
			if (write(ends[1], out.data, out.len) != (ssize_t)out.len)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	r = block_reader_create(ends[0]);
	while (block_next(r, &h, &bytes, &n)) {
		assert_int_equal(h.sequence, count);
		assert_int_equal(n, count % 2 ? BLOCK_BODY_MAX : 100);
		assert_memory_equal(bytes, body, n);
		count++;
	}
	assert_int_equal(count, 6);
	assert_int_equal(block_reader_error(r), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	block_reader_destroy(r);
	close(ends[0]);
	strbuf_deinit(&out);
	free(body);
	block_packer_destroy(p);
}

/* If a file is truncated anywhere, all complete blocks are still read. */
static void test_truncated(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	for (size_t n = 0; n < f.bytes.len; n++) {
		char *copy = malloc(n + 1);
		struct block_reader *r;
		unsigned expected = 0;
		size_t whole = 0;

		/*
		 * Use a copy of the exact size, so that a sanitizer detects reads beyond its end.
		 */
		memcpy(copy, f.bytes.data, n);
		copy = realloc(copy, n ? n : 1);
		for (unsigned i = 0; i < BLOCKS && f.ends[i] <= n; i++) {
			expected |= 1u << i;
			whole = f.ends[i];
		}
		r = block_reader_of_bytes(copy, n);
		assert_int_equal(found(r), expected);
		if (n < BLOCK_MAGIC_SIZE)
			assert_int_equal(block_reader_error(r), -ENOMSG);
		else
			assert_int_equal(block_reader_skipped(r), n - whole);
		block_reader_destroy(r);
		free(copy);
	}
	strbuf_deinit(&f.bytes);
}

/* A flipped bit damages only the block that contains it. */
static void test_flipped(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	for (size_t bit = 8 * BLOCK_MAGIC_SIZE; bit < 8 * f.bytes.len; bit++) {
		unsigned in = 0, seen, all = (1u << BLOCKS) - 1;
		struct block_reader *r;

		f.bytes.data[bit / 8] ^= (char)(1 << bit % 8);
		while (f.ends[in] <= bit / 8)
			in++;
		r = block_reader_of_bytes(f.bytes.data, f.bytes.len);
		seen = found(r);
		assert_int_equal(seen, all & ~(1u << in));
		assert_int_equal(block_reader_error(r), 0);
		block_reader_destroy(r);
		f.bytes.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	strbuf_deinit(&f.bytes);
}

static void test_others(void **state)
{
	static const char *const texts[] = {"", "x", "openat(AT_FDCWD, \"/etc/hosts\")", "\x89TRC"};
	struct block_reader *r;
	struct file f;
	uint32_t crc;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		r = block_reader_of_bytes(texts[i], strlen(texts[i]));
		assert_int_equal(found(r), 0);
		assert_int_equal(block_reader_error(r), -ENOMSG);
		block_reader_destroy(r);
	}
	/* Reading stops at a block whose format version is newer. */
	make(&f);
	f.bytes.data[f.ends[0] + BLOCK_MAGIC_SIZE] = BLOCK_VERSION + 1;
	crc = crc32c(f.bytes.data + f.ends[0], BLOCK_HEADER_SIZE - 4);
	memcpy(f.bytes.data + f.ends[0] + BLOCK_HEADER_SIZE - 4, &crc, sizeof(crc));
	r = block_reader_of_bytes(f.bytes.data, f.bytes.len);
	assert_int_equal(found(r), 1);
	assert_int_equal(block_reader_error(r), -ENOTSUP);
	block_reader_destroy(r);
	strbuf_deinit(&f.bytes);
}

static void test_coding(void **state)
{
	static const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, INT64_MAX, UINT64_MAX};
	static const uint8_t long_one[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
	static const uint8_t padded[] = {0x85, 0x80, 0x80, 0x80, 0x80, 0x80,
					 0x80, 0x80, 0x80, 0x80, 0x80, 0};
	struct strbuf b = {0};
	struct cursor in;
	size_t n;

	(void)state;
	assert_int_equal(crc32c("123456789", 9), 0xe3069283);
	assert_int_equal(crc32c("", 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		put_uleb(&b, numbers[i]);
		put_signed(&b, (int64_t)numbers[i]);
		put_signed(&b, -(int64_t)(numbers[i] >> 1));
		put_uint(&b, numbers[i], 8);
		put_sleb(&b, (int64_t)numbers[i]);
		put_sleb(&b, -(int64_t)(numbers[i] >> 1));
	}
	put_bytes(&b, "abc", 3);
	in = (struct cursor){.p = (uint8_t *)b.data, .end = (uint8_t *)b.data + b.len};
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		assert_int_equal(cursor_uleb(&in), numbers[i]);
		assert_int_equal(take_signed(&in), (int64_t)numbers[i]);
		assert_int_equal(take_signed(&in), -(int64_t)(numbers[i] >> 1));
		assert_int_equal(cursor_uint(&in, 8), numbers[i]);
		assert_int_equal(cursor_sleb(&in), (int64_t)numbers[i]);
		assert_int_equal(cursor_sleb(&in), -(int64_t)(numbers[i] >> 1));
	}
	assert_memory_equal(take_bytes(&in, &n), "abc", 3);
	assert_int_equal(n, 3);
	assert_false(in.bad);
	cursor_uleb(&in);
	assert_true(in.bad);
	in = (struct cursor){.p = long_one, .end = long_one + sizeof(long_one)};
	cursor_uleb(&in);
	assert_true(in.bad);
	assert_int_equal(cursor_left(&in), 0);
	in = (struct cursor){.p = padded, .end = padded + sizeof(padded)};
	assert_int_equal(cursor_uleb(&in), 5);
	assert_false(in.bad || cursor_left(&in));
	strbuf_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	  cmocka_unit_test(test_large),
		cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_others),	  cmocka_unit_test(test_coding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
