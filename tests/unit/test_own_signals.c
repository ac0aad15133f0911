/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tracer's own signals. Setting a deadline must not disable the retry alarm. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include <cmocka.h>

#include "capture/own_signals.h"

/* The interval of the retry alarm in capture/own_signals.c, and a deadline that is much later. */
#define RETRY_USEC 10000
#define FAR_SEC	   3600

static int install(void **state attr_unused)
{
	own_signals_install(2, true);
	return 0;
}

static int restore(void **state attr_unused)
{
	while (own_signals_take())
		;
	own_signals_restore();
	return 0;
}

static struct timespec in_seconds(long sec)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += sec;
	return t;
}

/* Asserts that the retry alarm goes off within RETRY_USEC, and repeatedly. */
static void assert_retries(void)
{
	struct itimerval it;

	assert_int_equal(getitimer(ITIMER_REAL, &it), 0);
	assert_int_equal(it.it_value.tv_sec, 0);
	assert_true(it.it_value.tv_usec > 0 && it.it_value.tv_usec <= RETRY_USEC);
	assert_int_equal(it.it_interval.tv_usec, RETRY_USEC);
}

/* Sends the signal after own_signals_take() and before setting the deadline. */
static void check_deadline(int sig, const struct timespec *before, const struct timespec *deadline)
{
	assert_int_equal(own_signals_take(), 0);
	if (before)
		assert_false(own_signals_deadline(before));
	raise(sig);
	assert_false(own_signals_deadline(deadline));
	assert_retries();
	assert_int_equal(own_signals_take(), sig);
}

static void test_deadline(void **state attr_unused)
{
	const struct timespec near = in_seconds(FAR_SEC), far = in_seconds(2 * FAR_SEC);

	check_deadline(SIGINT, NULL, &far);
	check_deadline(SIGUSR1, NULL, &far);
	check_deadline(SIGTERM, &far, &near);
}

/* The deadline is removed after the alarm of an earlier deadline has gone off. */
static void test_no_deadline(void **state attr_unused)
{
	assert_int_equal(own_signals_take(), 0);
	raise(SIGALRM);
	raise(SIGINT);
	assert_false(own_signals_deadline(NULL));
	assert_retries();
	assert_int_equal(own_signals_take(), SIGINT);
}

/* If two signals arrive and the first is taken, the alarm still retries the second. */
static void test_two(void **state attr_unused)
{
	raise(SIGUSR1);
	raise(SIGINT);
	assert_int_equal(own_signals_take(), SIGINT);
	assert_retries();
	assert_int_equal(own_signals_take(), SIGUSR1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_deadline, install, restore),
		cmocka_unit_test_setup_teardown(test_no_deadline, install, restore),
		cmocka_unit_test_setup_teardown(test_two, install, restore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
