/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables with which a HotSpot JVM describes itself, for several versions of the JDK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "stack/lang/hotspot_vm.h"

/* The tables are in the memory of the test. */
static ssize_t read_own(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct iovec to = {buf, n}, from = {(void *)(uintptr_t)addr, n};
	const ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

	(void)m;
	return got < 0 ? -errno : got;
}

struct entry {
	const char *type, *field;
	uint64_t is_static, offset;
	const void *address;
};

struct type {
	const char *name;
	uint64_t size;
};

/* Returns the first number of a stream that begins with the byte 7. */
static uint32_t number(int32_t version, const char *flags)
{
	static const uint64_t layout[] = {
		sizeof(struct entry),
		offsetof(struct entry, type),
		offsetof(struct entry, field),
		offsetof(struct entry, is_static),
		offsetof(struct entry, offset),
		offsetof(struct entry, address),
		sizeof(struct type),
		offsetof(struct type, name),
		offsetof(struct type, size),
	};
	static const struct type types[] = {{"ConstMethod", 56}, {"ConstantPool", 72}, {NULL, 0}};
	static const uint8_t bytes[] = {7, 0};
	const struct entry structs[] = {
		{"Method", "_constMethod", 0, 8, NULL},
		{"ConstMethod", "_constants", 0, 8, NULL},
		{"ConstMethod", "_name_index", 0, 40, NULL},
		{"ConstMethod", "_code_size", 0, 34, NULL},
		{"ConstMethod", flags, 0, 32, NULL},
		{"ConstantPool", "_pool_holder", 0, 24, NULL},
		{"Klass", "_name", 0, 24, NULL},
		{"Symbol", "_length_and_refcount", 0, 0, NULL},
		{"Symbol", "_body", 0, 6, NULL},
		{"StubQueue", "_stub_buffer", 0, 8, NULL},
		{"StubQueue", "_buffer_limit", 0, 16, NULL},
		{"AbstractInterpreter", "_code", 1, 0, bytes},
		{"Abstract_VM_Version", "_vm_major_version", 1, 0, &version},
		{NULL, NULL, 0, 0, NULL},
	};
	const struct entry *const first = structs;
	const struct type *const first_type = types;
	const struct memory_ops ops = {.read_some = read_own};
	struct memory memory = {.ops = &ops};
	struct lang_memory m = {0};
	struct lang_hint hint = {0};
	struct lang_run r = {.mem = &m};
	struct vm_file f = {.structs = (uintptr_t)&first, .types = (uintptr_t)&first_type};
	struct vm_stream s;
	uint32_t n;

	for (size_t i = 0; i < ARRAY_SIZE(layout); i++)
		f.numbers[i] = (uintptr_t)&layout[i];
	lang_memory_begin(&m, &memory, &hint);
	assert_true(vm_tables_read(&f, &r));
	vm_stream_begin(&s, &r, &f, (uintptr_t)bytes);
	n = vm_stream_number(&s);
	assert_false(s.failed);
	lang_memory_end(&m, &hint);
	lang_memory_deinit(&m);
	lang_hint_deinit(&hint);
	return n;
}

/* JDK 20 encodes numbers as later versions do, but has the flags of earlier versions. */
static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(number(25, "_flags"), 7); /* JDK 8 */
	assert_int_equal(number(17, "_flags"), 7);
	assert_int_equal(number(19, "_flags"), 7);
	assert_int_equal(number(20, "_flags"), 6);
	assert_int_equal(number(21, "_flags._flags"), 6);
	assert_int_equal(number(25, "_flags._flags"), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
