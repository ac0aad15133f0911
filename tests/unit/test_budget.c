/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits on the size of one event: ordinary syscalls are shown in full, and huge syscalls are
 * truncated with "...".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "decode/core/decode.h"
#include "fake.h"

#define BASE	  0x10000000
#define ITEM_SIZE (4u << 20)
#define ELEMENTS  65536
#define MESSAGES  1024
/* Offsets from BASE. The messages come first, followed by the iovecs and the data. */
#define IOV_AT	(1u << 20)
#define DATA_AT (2u << 20)
/*
 * An event may exceed the budget by at most this size, because the last element and the values that
 * contain it are completed.
 */
#define SLACK (2u << 20)

struct hostile {
	struct fake fake;
	struct memory urgent;
	uint8_t *bytes;
};

static int make(void **state)
{
	struct hostile *h = mem_zalloc(sizeof(*h));

	h->bytes = mem_zalloc(ITEM_SIZE);
	fake_init(&h->fake, BASE, h->bytes, ITEM_SIZE);
	*state = h;
	return 0;
}

static int unmake(void **state)
{
	struct hostile *h = *state;

	fake_deinit(&h->fake);
	free(h->bytes);
	free(h);
	return 0;
}

/* struct mmsghdr as defined by 64-bit kernels. Some C libraries declare it differently. */
struct message {
	uint64_t name, namelen, iov, iovlen, control, controllen, flags, len;
};

/* Creates messages that share the same 65,536 iovecs. All iovecs share the same data. */
static void make_messages(struct hostile *h, uint64_t iovecs)
{
	struct message *messages = (struct message *)h->bytes;
	struct iovec *iov = (struct iovec *)(h->bytes + IOV_AT);

	for (size_t i = 0; i < MESSAGES; i++) {
		messages[i].iov = BASE + IOV_AT;
		messages[i].iovlen = iovecs;
	}
	for (size_t i = 0; i < ELEMENTS; i++)
		iov[i] = (struct iovec){(void *)(uintptr_t)(BASE + DATA_AT), ITEM_SIZE - DATA_AT};
	memset(h->bytes + DATA_AT, 0xff, ITEM_SIZE - DATA_AT);
}

static const struct value *messages_of(struct hostile *h)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {3, BASE, MESSAGES, 0};
	struct syscall_event *ev = fake_enter(&h->fake, "sendmmsg", args);

	fake_exit(&h->fake, -EINVAL);
	assert_true(ev->cut);
	return ev->base.args[1].in ? ev->base.args[1].in : ev->base.args[1].out;
}

static void too_many_iovecs(void **state)
{
	static const struct {
		unsigned limit;
		uint64_t iovecs;
		uint8_t mode;
	} cases[] = {
		{4096, ELEMENTS, 0},	     {4096, ELEMENTS, DECODE_FULL},
		{32, ELEMENTS, DECODE_FULL}, {1u << 20, 1, DECODE_FULL},
		{32, 1ull << 32, 0},
	};
	struct hostile *h = *state;
	uint8_t *modes = mem_zalloc(syscall_desc_count * ABI_COUNT);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct value *v;

		memset(modes, cases[i].mode, syscall_desc_count * ABI_COUNT);
		h->fake.config.per_syscall = modes;
		h->fake.config.string_limit = cases[i].limit;
		make_messages(h, cases[i].iovecs);
		v = messages_of(h);
		assert_int_equal(v->kind, VALUE_ARRAY);
		assert_true(v->flags & VALUE_F_MORE);
		assert_true(value_count(v) < MESSAGES);
		assert_true(h->fake.tcb.syscall->arena.total <
			    BUDGET_BYTES + SLACK + 8 * cases[i].limit);
	}
	free(modes);
}

static void a_large_array_is_whole(void **state)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {BASE, ELEMENTS, 0};
	struct hostile *h = *state;
	uint8_t *modes = mem_zalloc(syscall_desc_count * ABI_COUNT);
	struct syscall_event *ev;

	memset(modes, DECODE_FULL, syscall_desc_count * ABI_COUNT);
	h->fake.config.per_syscall = modes;
	memset(h->bytes, 1, ITEM_SIZE);
	ev = fake_enter(&h->fake, "poll", args);
	fake_exit(&h->fake, ELEMENTS);
	assert_false(ev->cut);
	assert_int_equal(value_count(ev->base.args[0].in), ELEMENTS);
	assert_false(ev->base.args[0].in->flags & VALUE_F_MORE);
	free(modes);
}

/* Many short strings cost only the bytes that are shown, even with a large value of -s. */
static void short_strings_are_cheap(void **state)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {BASE + ITEM_SIZE - 4, BASE, BASE};
	struct hostile *h = *state;
	struct syscall_event *ev;
	uint64_t *argv = (uint64_t *)h->bytes;

	h->fake.config.string_limit = 1u << 20;
	strcpy((char *)h->bytes + DATA_AT, "a word");
	for (size_t i = 0; i < 10000; i++)
		argv[i] = BASE + DATA_AT;
	ev = fake_enter(&h->fake, "execve", args);
	fake_exit(&h->fake, -ENOENT);
	assert_false(ev->cut);
	assert_int_equal(value_count(ev->base.args[1].in), 10000);
}

static bool always_urgent(const struct memory *m)
{
	(void)m;
	return true;
}

static ssize_t read_fake(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct hostile *h = container_of(m, struct hostile, urgent);

	return memory_read_some(&h->fake.memory.memory, addr, buf, n);
}

/*
 * If tracer is about to exit, small syscalls are shown in full, and large syscalls are truncated
 * early.
 */
static void an_urgent_end(void **state)
{
	static const struct memory_ops ops = {.read_some = read_fake, .is_urgent = always_urgent};
	const uint64_t args[SYSCALL_ARGS_MAX] = {AT_FDCWD, BASE + DATA_AT, 0};
	struct hostile *h = *state;
	struct syscall_event *ev;

	h->urgent.ops = &ops;
	h->fake.tcb.memory = &h->urgent;
	h->fake.config.string_limit = 4096;
	make_messages(h, ELEMENTS);
	messages_of(h);
	assert_true(h->fake.tcb.syscall->arena.total < BUDGET_CHECK_BYTES + SLACK);
	strcpy((char *)h->bytes + DATA_AT, "/a/file");
	ev = fake_enter(&h->fake, "openat", args);
	fake_exit(&h->fake, -ENOENT);
	assert_false(ev->cut);
	assert_int_equal(ev->base.args[1].in->kind, VALUE_STRING);
}

static void arena_takes_back(void **state)
{
	struct arena a = {0};
	char *p = arena_alloc(&a, 1000), *q;

	(void)state;
	arena_give_back(&a, p, 1000, 10);
	q = arena_alloc(&a, 8);
	assert_ptr_equal(q, p + 16);
	/* This is no longer the last allocation, so it cannot be given back to the arena. */
	arena_give_back(&a, p, 16, 0);
	p = arena_alloc(&a, 8);
	assert_ptr_equal(p, q + 8);
	arena_give_back(&a, p, 8, 0);
	assert_ptr_equal(arena_alloc(&a, 8), p);
	arena_charge(&a, 5);
	assert_true(a.total > 5);
	arena_reset(&a);
	assert_int_equal(a.total, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(too_many_iovecs, make, unmake),
		cmocka_unit_test_setup_teardown(a_large_array_is_whole, make, unmake),
		cmocka_unit_test_setup_teardown(short_strings_are_cheap, make, unmake),
		cmocka_unit_test_setup_teardown(an_urgent_end, make, unmake),
		cmocka_unit_test(arena_takes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
