/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests of capture/proc/page_list.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/proc/page_list.h"

static void test_ranges(void **state attr_unused)
{
	struct page_list l;

	l.n = 0;
	assert_false(page_list_add(&l, 4096, 0));
	assert_false(page_list_add(&l, UINT64_MAX - 9, 11));
	assert_int_equal(l.n, 0);
	/* The last page of the address space. */
	assert_true(page_list_add(&l, UINT64_MAX - 9, 10));
	assert_int_equal(l.n, 1);
	assert_true(page_list_add(&l, 8191, 2));
	assert_int_equal(l.n, 3);
	assert_false(page_list_add(&l, 4096, 4096ul * (PAGE_LIST_MAX - 2)));
	assert_int_equal(l.n, 3);
	assert_true(page_list_add(&l, 4096, 4096ul * (PAGE_LIST_MAX - 3)));
	assert_int_equal(l.n, PAGE_LIST_MAX);
	assert_false(page_list_add(&l, 4096, 1));
}

static void test_present(void **state attr_unused)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct page_list l;

	p[0] = 1;
	l.n = 0;
	assert_true(page_list_add(&l, (uintptr_t)p, 4096));
	assert_true(page_list_is_present(&l, getpid()));
	assert_true(page_list_add(&l, (uintptr_t)p + 4096, 1));
	assert_false(page_list_is_present(&l, getpid()));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges),
					   cmocka_unit_test(test_present)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
