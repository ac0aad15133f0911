/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks properties of all name tables that lookups rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linux/xlat.h"
#include "util/table.h"

#define for_each_table(x) for (size_t i_ = 0; ((x) = xlat_table_at(i_)); i_++)

static void test_sorted_tables_ascend(void **state)
{
	const struct xlat *x;

	(void)state;
	for_each_table(x)
	{
		for (uint32_t i = 1; x->kind == XLAT_SORTED && i < x->n; i++) {
			if (x->entries[i - 1].val > x->entries[i].val)
				fail_msg("%s: %s is out of order", x->name, x->entries[i].name);
		}
	}
}

/* If a table contained a name twice, a lookup would find only one of its values. */
static void test_names_are_unique(void **state)
{
	const struct xlat *x;

	(void)state;
	for_each_table(x)
	{
		struct xlat_names *names = xlat_names_new(x);
		struct table seen = {0};

		for (uint32_t i = 0; i < x->n; i++) {
			const struct xlat_entry *e = xlat_names_find(names, x->entries[i].name);

			assert_non_null(e);
			assert_string_equal(e->name, x->entries[i].name);
			if (table_find(&seen, (uintptr_t)e, NULL))
				fail_msg("%s: %s occurs twice", x->name, e->name);
			table_add(&seen, (uintptr_t)e, 1);
		}
		assert_null(xlat_names_find(names, "NO_SUCH_NAME"));
		table_deinit(&seen);
		xlat_names_free(names);
	}
	xlat_names_free(NULL);
}

static bool shares_numbers(const struct xlat *x)
{
	return !strncmp(x->name, "ioctl_requests", strlen("ioctl_requests"));
}

/*
 * Each row can be printed, because no earlier row hides it. ioctl requests are exempt, because all
 * names of a request are printed.
 */
static void test_every_row_can_be_printed(void **state)
{
	const struct xlat *x;

	(void)state;
	for_each_table(x)
	{
		for (uint32_t i = 0; !shares_numbers(x) && i < x->n; i++) {
			const char *name = xlat_name(x, x->entries[i].val);

			if (strcmp(name, x->entries[i].name))
				fail_msg("%s: %s hides %s", x->name, name, x->entries[i].name);
		}
	}
}

/*
 * If the bits of a row include the bits of another row, the row with the larger value must come
 * first.
 */
static void test_fields_precede_their_parts(void **state)
{
	const struct xlat *x;

	(void)state;
	for_each_table(x)
	{
		for (uint32_t i = 1; x->kind == XLAT_FLAGS && i < x->n; i++) {
			uint64_t v = x->entries[i].val, u = 0;

			for (uint32_t k = 0; k < i; k++) {
				if ((v & x->entries[k].val) == x->entries[k].val)
					u |= x->entries[k].val;
			}
			if (v && u == v)
				fail_msg("%s: %s can never match", x->name, x->entries[i].name);
		}
	}
}

static void test_lookup(void **state)
{
	(void)state;
	assert_string_equal(xlat_name(&xlat_errnos, 2), "ENOENT");
	assert_string_equal(xlat_name(&xlat_errnos, 512), "ERESTARTSYS");
	assert_null(xlat_name(&xlat_errnos, 4000));
	assert_null(xlat_name(&xlat_errnos, 0));
	assert_int_equal(xlat_find(&xlat_signals, "SIGKILL")->val, 9);
	assert_null(xlat_find(&xlat_signals, "KILL"));
}

static void test_negative_values_have_two_forms(void **state)
{
	(void)state;
	assert_string_equal(xlat_name(&xlat_rusage_who, (uint64_t)-1), "RUSAGE_CHILDREN");
	assert_string_equal(xlat_name(&xlat_rusage_who, 0xffffffff), "RUSAGE_CHILDREN");
	assert_string_equal(xlat_name(&xlat_reboot_cmds, 0xcdef0123), "LINUX_REBOOT_CMD_HALT");
	assert_string_equal(xlat_name(&xlat_reboot_cmds, 0xffffffffcdef0123),
			    "LINUX_REBOOT_CMD_HALT");
	assert_null(xlat_name(&xlat_rusage_who, 0x1ffffffff));
}

static void test_ioctl_requests_that_share_a_number(void **state)
{
	const struct xlat_entry *e = xlat_entry_of(&xlat_ioctl_requests, 0x5402);

	(void)state;
	assert_string_equal(e[0].name, "SNDCTL_TMR_START");
	assert_string_equal(e[1].name, "TCSETS");
	assert_int_equal(e[1].val, 0x5402);
	assert_string_equal(xlat_name(&xlat_ioctl_requests, 0x5413), "TIOCGWINSZ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorted_tables_ascend),
		cmocka_unit_test(test_names_are_unique),
		cmocka_unit_test(test_every_row_can_be_printed),
		cmocka_unit_test(test_fields_precede_their_parts),
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_negative_values_have_two_forms),
		cmocka_unit_test(test_ioctl_requests_that_share_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
