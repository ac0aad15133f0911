/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The search for Ruby's virtual machine if parts of the memory cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "stack/lang/ruby_vm.h"

#define BASE  0x7f0000000000ull
#define BYTES 0x8000u
#define PAGE  4096u
#define SELF  0x7f1111111140ull
/* Offsets in the memory: .bss consists of most of the first three pages. */
#define ZEROED	0x520u
#define NZEROED 0x2900u
#define POINTER 0x2c08u /* the pointer to the virtual machine, in the third page */
#define VM	0x4000u
#define RACTOR	0x5400u
#define LIST	0x5300u
#define THREAD	0x6000u
#define CONTEXT 0x7000u

static const struct ruby_layout layout = {.major = 3, .context = 48, .thread = 48, .id = 16};

struct fake {
	struct memory memory;
	uint8_t bytes[BYTES];
	unsigned present; /* a bit for each page that can be read */
	unsigned reads;
};

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct fake *f = container_of(m, struct fake, memory);

	f->reads++;
	if (addr < BASE || addr - BASE > BYTES - n)
		return -EFAULT;
	for (uint64_t page = (addr - BASE) / PAGE; page <= (addr - BASE + n - 1) / PAGE; page++)
		if (!(f->present >> page & 1))
			return -ENODATA;
	memcpy(buf, f->bytes + (addr - BASE), n);
	return (ssize_t)n;
}

static const struct memory_ops ops = {.read_some = read_some};

static uint64_t self;

static uint64_t thread_pointer(void *ctx attr_unused)
{
	return self;
}

static void put(struct fake *f, unsigned at, uint64_t value)
{
	memcpy(f->bytes + at, &value, sizeof(value));
}

static void put_list(struct fake *f, unsigned head, unsigned element)
{
	put(f, head, BASE + element);
	put(f, head + 8, BASE + element);
	put(f, element, BASE + head);
	put(f, element + 8, BASE + head);
}

static struct fake fake;
static struct lang_memory mem;
static struct ruby_file file;
static uint64_t kept[2];

static int setup(void **state attr_unused)
{
	memset(&fake, 0, sizeof(fake));
	fake.memory.ops = &ops;
	put(&fake, POINTER, BASE + VM);
	put_list(&fake, VM + 8, RACTOR);
	put_list(&fake, LIST, THREAD);
	put(&fake, THREAD + layout.context, BASE + CONTEXT);
	put(&fake, CONTEXT + layout.thread, BASE + THREAD);
	put(&fake, THREAD + layout.id, SELF);
	file = (struct ruby_file){.layout = &layout, .zeroed = ZEROED, .nzeroed = NZEROED};
	memset(kept, 0, sizeof(kept));
	self = SELF;
	return 0;
}

/* Returns the address of the context for a new stack. */
static uint64_t context(void)
{
	struct lang_run r = {.mem = &mem,
			     .file = &file,
			     .bias = BASE,
			     .kept = kept,
			     .thread_pointer = thread_pointer};
	struct lang_hint hint = {0};
	uint64_t found;

	lang_memory_begin(&mem, &fake.memory, &hint);
	found = ruby_context(&r, &file);
	lang_memory_end(&mem, &hint);
	lang_hint_deinit(&hint);
	return found;
}

static void test_present(void **state attr_unused)
{
	fake.present = ~0u;
	assert_int_equal(context(), BASE + CONTEXT);
	assert_false(mem.missing);
	assert_int_equal(file.vm, POINTER);
	lang_memory_deinit(&mem);
}

/* The BPF engine cannot read pages that Ruby has never written. */
static void test_absent_page(void **state attr_unused)
{
	fake.present = ~3u;
	assert_int_equal(context(), BASE + CONTEXT);
	assert_int_equal(file.vm, POINTER);
	lang_memory_deinit(&mem);
}

/* Many calls have returned before their memory could be read. */
static void test_late(void **state attr_unused)
{
	for (int i = 0; i < 100; i++) {
		assert_int_equal(context(), 0);
		assert_true(mem.missing);
	}
	fake.present = ~0u;
	assert_int_equal(context(), BASE + CONTEXT);
	lang_memory_deinit(&mem);
}

/* The BPF engine knows the thread pointer only of threads that sleep. */
static void test_no_thread_pointer(void **state attr_unused)
{
	fake.present = ~0u;
	self = 0;
	assert_int_equal(context(), 0);
	assert_true(mem.missing);
	lang_memory_deinit(&mem);
}

/* The number of searches is limited if there is no virtual machine. */
static void test_limit(void **state attr_unused)
{
	unsigned reads = 0;

	fake.present = ~0u;
	put(&fake, POINTER, 0);
	for (int i = 0; i < 100; i++) {
		reads = fake.reads;
		assert_int_equal(context(), 0);
	}
	assert_int_equal(fake.reads, reads);
	lang_memory_deinit(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_present, setup),
		cmocka_unit_test_setup(test_absent_page, setup),
		cmocka_unit_test_setup(test_late, setup),
		cmocka_unit_test_setup(test_no_thread_pointer, setup),
		cmocka_unit_test_setup(test_limit, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
