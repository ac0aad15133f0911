/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encodings of raw stacks, directory entries and events in traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "range.h"
#include "defs.h"
#include "trace/format/dirent_coding.h"
#include "trace/format/event_coding.h"
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
	/* Register values that the stop record already contains. The last of them is the seed. */
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

static struct event event_of(struct arena *a)
{
	struct event e = {.kind = EVENT_OTHER,
			  .source = "sched",
			  .name = "switch",
			  .ret_kind = RET_ERROR,
			  .ret = 11,
			  .has_duration = true,
			  .duration = {3, 999999999},
			  .nargs = 5};
	struct value *all = value_struct(a), *fd = value_fd(a, -100), *list = value_array(a);

	value_add_named(all, "int", value_int(a, -5))->width = 4;
	value_add_named(all, "uint", value_uint(a, UINT64_MAX));
	value_add_named(all, "hex", value_hex(a, 0));
	value_add_named(all, "addr", value_addr(a, 1ull << 63));
	value_add_named(all, "device", value_device(a, 0x801));
	value_add_named(all, "word", value_word(a, "RUNNING", 3));
	value_add_named(all, "date", value_date(a, -7, 123456, 6));
	value_add_named(all, "peer", value_address(a, AF_INET, "\177\0\0\1", 4));
	value_add_named(all, "text", value_string(a, "a\0\n\"\377", 5))->flags = VALUE_F_PATH;
	value_add_named(all, "fd", fd)->flags = VALUE_F_ATFD;
	fd->str = "/tmp";
	fd->len = 4;
	for (unsigned i = 0; i < 3; i++)
		value_add(list, value_uint(a, i))->flags = 0;
	value_add(list, value_struct(a))->flags = VALUE_F_MORE;
	e.args[0] = (struct arg){.name = "all", .in = all};
	e.args[1] = (struct arg){.name = "list", .in = value_int(a, 0), .out = list};
	e.args[2] = (struct arg){.name = "flags",
				 .in = value_flags(a, &xlat_open_flags, 02000000 | 1ull << 40)};
	e.args[3] =
		(struct arg){.name = "family", .in = value_enum(a, &xlat_addr_families, AF_UNIX)};
	e.args[4] = (struct arg){.name = "unknown", .in = value_enum(a, &xlat_addr_families, 9999)};
	e.ret_value = value_hex(a, 16);
	return e;
}

static bool take_event(const struct strbuf *b, size_t n, struct arena *a, struct event *e)
{
	struct cursor in = {.p = (uint8_t *)b->data, .end = (uint8_t *)b->data + n};

	return event_take(&in, a, e);
}

/* Events are read back unchanged, but with names instead of tables. */
static void test_events(void **state)
{
	struct strbuf b = {0};
	struct arena arena = {0};
	const struct event e = event_of(&arena);
	const struct value *flag;
	struct event got;

	(void)state;
	event_put(&b, &e);
	assert_true(take_event(&b, b.len, &arena, &got));
	assert_string_equal(got.source, "sched");
	assert_string_equal(got.name, "switch");
	assert_true(got.kind == EVENT_OTHER && got.ret_kind == RET_ERROR && got.ret == 11);
	assert_true(got.has_duration && got.duration.tv_sec == 3);
	assert_int_equal(got.duration.tv_nsec, 999999999);
	assert_true(value_equal(got.ret_value, e.ret_value));
	assert_int_equal(got.nargs, 5);
	assert_string_equal(got.args[1].name, "list");
	assert_true(value_equal(got.args[0].in, e.args[0].in));
	assert_true(value_equal(got.args[1].in, e.args[1].out));
	assert_int_equal(value_member(got.args[0].in, "int")->width, 4);
	assert_int_equal(value_member(got.args[0].in, "text")->flags, VALUE_F_PATH);
	assert_int_equal(value_member(got.args[0].in, "date")->digits, 6);
	assert_int_equal(value_count(got.args[2].in), 2);
	flag = got.args[2].in->child;
	assert_string_equal(flag->str, "O_CLOEXEC");
	assert_true(flag->next->kind == VALUE_HEX && flag->next->num == 1ull << 40);
	assert_string_equal(got.args[3].in->str, "AF_UNIX");
	assert_true(got.args[4].in->kind == VALUE_HEX && got.args[4].in->num == 9999);
	arena_reset(&arena);
	strbuf_deinit(&b);
}

/*
 * Damaged records are either rejected or produce other values. They are never read beyond their
 * end.
 */
static void test_damaged_events(void **state)
{
	struct strbuf b = {0};
	struct arena arena = {0};
	struct event e = event_of(&arena), got;
	unsigned rejected = 0;

	(void)state;
	event_put(&b, &e);
	for (size_t cut = 0; cut < 12; cut++)
		assert_false(take_event(&b, cut, &arena, &got));
	for (size_t i = 0; i < b.len; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			b.data[i] ^= (char)(1 << bit);
			rejected += !take_event(&b, b.len, &arena, &got);
			b.data[i] ^= (char)(1 << bit);
			arena_reset(&arena);
		}
	assert_true(rejected > b.len);
	/* A name with a newline. */
	b.data[2] = '\n';
	assert_false(take_event(&b, b.len, &arena, &got));
	arena_reset(&arena);
	strbuf_deinit(&b);
}

/* Values that are too large are truncated and marked as truncated. */
static void test_large_events(void **state)
{
	static char bytes[3 * EVENT_STRING_MAX];
	struct strbuf b = {0};
	struct arena arena = {0};
	struct event got, e = {.source = "s", .name = "n", .nargs = 3};
	struct value *list = value_array(&arena), *deep = value_array(&arena), *in = deep;

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		value_add(list, value_string(&arena, bytes, sizeof(bytes)));
	for (unsigned i = 0; i < 20; i++)
		in = value_add(in, value_array(&arena));
	e.args[0] = (struct arg){.name = "deep", .in = deep};
	e.args[1] = (struct arg){.name = "list", .in = list};
	e.args[2] = (struct arg){.name = "last", .in = value_int(&arena, 1)};
	event_put(&b, &e);
	assert_uint_in_range(b.len, EVENT_CODING_MAX / 2, EVENT_CODING_MAX);
	assert_true(take_event(&b, b.len, &arena, &got));
	assert_int_equal(got.nargs, 2);
	assert_uint_in_range(value_count(got.args[1].in), 4, 19);
	assert_true(got.args[1].in->flags & VALUE_F_MORE);
	assert_int_equal(got.args[1].in->child->len, EVENT_STRING_MAX);
	assert_true(got.args[1].in->child->flags & VALUE_F_MORE);
	for (in = got.args[0].in; in->child;)
		in = in->child;
	assert_true(in->flags & VALUE_F_MORE);
	arena_reset(&arena);
	strbuf_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw),	     cmocka_unit_test(test_dirents),
		cmocka_unit_test(test_events),	     cmocka_unit_test(test_damaged_events),
		cmocka_unit_test(test_large_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
