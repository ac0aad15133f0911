/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The critical path of runs whose times are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "event/wakeup.h"
#include "give.h"
#include "linux/syscall_desc.h"
#include "sinks/path/critical_path.h"
#include "util/strbuf.h"

static struct strbuf out;
static struct sink *sink;

static int keep(void *ctx, const char *text, size_t n)
{
	strbuf_add(ctx, text, n);
	return 0;
}

static int begin_test(void **state)
{
	(void)state;
	out.len = 0;
	sink = critical_path_create(false, 0, keep, &out);
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	strbuf_deinit(&out);
	return 0;
}

/* Converts milliseconds to a timespec. */
static struct timespec ms(int64_t t)
{
	return (struct timespec){t / 1000, t % 1000 * 1000000};
}

static struct event head(int tid, int64_t at)
{
	struct event e = {.tid = tid, .tgid = tid, .mono = ms(at)};

	snprintf(e.comm, sizeof(e.comm), "t%d", tid);
	return e;
}

/*
 * Reports a syscall of thread `tid`. If the thread waited, thread `waker` woke it at woken_at.
 * Otherwise `waker` is 0. Times are in milliseconds.
 */
static void call(int tid, int row, int64_t begin, int64_t end, int waker, int64_t woken_at)
{
	const struct wakeup w = {.cause = WAKE_PIPE, .tid = waker, .at = woken_at * 1000000};
	struct syscall_event e = {.base = head(tid, begin), .row = row};

	e.base.ret_kind = RET_VALUE;
	e.base.duration = ms(end - begin);
	e.woken = waker ? &w : NULL;
	give_call(sink, EVENT_SYSCALL, &e);
}

/* Reports a syscall that waited for something other than a thread. */
static void wait_for(int tid, int row, int64_t begin, int64_t end, enum wake_cause cause)
{
	const struct wakeup w = {.cause = cause, .at = end * 1000000};
	struct syscall_event e = {.base = head(tid, begin), .row = row, .woken = &w};

	e.base.ret_kind = RET_VALUE;
	e.base.duration = ms(end - begin);
	give_call(sink, EVENT_SYSCALL, &e);
}

static void process(int tid, int64_t at, enum process_kind kind, int code)
{
	struct process_event e = {.base = head(tid, at), .kind = kind, .code = code};

	give_process(sink, &e);
}

/*
 * Ends the run. Returns the table's rows as lines of the form "MILLISECONDS STEPS THREAD ACTIVITY".
 */
static const char *table(void)
{
	static char text[2048];
	struct strbuf lines = {0};
	char comm[17], activity[64], *line, *rest;
	double percent, seconds, sum = 0;
	int steps, pid, tid;

	assert_int_equal(sink->ops->end(sink), 0);
	strbuf_str(&out);
	for (line = strtok_r(out.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%lf %lf %d %d %d %16s %63[^\n]", &percent, &seconds, &steps, &pid,
			   &tid, comm, activity) == 7) {
			strbuf_printf(&lines, "%.0f %d %s %s\n", seconds * 1000, steps, comm,
				      activity);
			sum += percent;
		} else if (strstr(line, "total")) {
			assert_int_equal(sscanf(line, "%lf %lf", &percent, &seconds), 2);
			assert_true(!seconds || (sum > 99.9 && sum < 100.1));
			strbuf_printf(&lines, "%.0f total\n", seconds * 1000);
		}
	}
	snprintf(text, sizeof(text), "%s", strbuf_str(&lines));
	strbuf_deinit(&lines);
	return text;
}

/*
 * Thread 1 waits for thread 2. Thread 2 computes for 600 ms and waits for thread 3, which sleeps
 * for 300 ms. The sleep of thread 4 is not on the path.
 */
static void test_chain(void **state)
{
	(void)state;
	process(1, 0, PROCESS_ATTACHED, 0);
	process(1, 0, PROCESS_FORKED, 2);
	process(1, 0, PROCESS_FORKED, 3);
	process(1, 0, PROCESS_FORKED, 4);
	wait_for(3, ROW_nanosleep, 0, 300, WAKE_TIMER);
	call(3, ROW_write, 300, 302, 0, 0);
	call(2, ROW_read, 5, 301, 3, 301);
	wait_for(4, ROW_nanosleep, 0, 890, WAKE_TIMER);
	call(2, ROW_write, 901, 903, 0, 0);
	call(1, ROW_read, 10, 905, 2, 903);
	process(1, 1000, PROCESS_EXITED, 0);
	assert_string_equal(table(), "600 1 t2 running\n"
				     "300 1 t3 nanosleep (timer)\n"
				     "95 1 t1 running\n"
				     "2 1 t1 read\n"
				     "2 1 t2 write\n"
				     "1 1 t3 write\n"
				     "1000 total\n");
}

/* A fork-join build. In each phase, the slowest of three children is on the path. */
static void test_children(void **state)
{
	(void)state;
	process(1, 0, PROCESS_ATTACHED, 0);
	for (int child = 2; child <= 4; child++) {
		const int64_t begin = child * 10;

		call(1, ROW_clone, begin - 2, begin, 0, 0);
		process(1, begin - 1, PROCESS_FORKED, child);
		process(child, begin + child * 100, PROCESS_EXITED, 0);
	}
	call(1, ROW_wait4, 50, 221, 2, 220);
	call(1, ROW_wait4, 230, 331, 3, 330);
	call(1, ROW_wait4, 340, 442, 4, 440);
	process(1, 450, PROCESS_EXITED, 0);
	assert_string_equal(table(), "401 1 t4 running\n"
				     "42 4 t1 running\n"
				     "5 3 t1 clone\n"
				     "2 1 t1 wait4\n"
				     "450 total\n");
}

/*
 * Threads that wake each other at the same time, and threads whose creation is reported only after
 * they have woken another thread.
 */
static void test_circles(void **state)
{
	(void)state;
	process(1, 0, PROCESS_FORKED, 2);
	process(2, 500, PROCESS_FORKED, 1);
	call(1, ROW_read, 100, 400, 2, 400);
	call(2, ROW_read, 100, 400, 1, 400);
	process(1, 600, PROCESS_EXITED, 0);
	assert_non_null(strstr(table(), "600 total\n"));
}

/* Each thread creates the next one after 10 ms. The memory for the threads grows several times. */
static void test_generations(void **state)
{
	enum { N = 24 };
	const char *text;
	char row[32];

	(void)state;
	process(1, 0, PROCESS_ATTACHED, 0);
	for (int i = 1; i < N; i++)
		process(i, 10 * i, PROCESS_FORKED, i + 1);
	process(N, 10 * N, PROCESS_EXITED, 0);
	text = table();
	for (int i = 2; i < N; i++) {
		snprintf(row, sizeof(row), "10 1 t%d running\n", i);
		assert_non_null(strstr(text, row));
	}
}

static void test_nothing(void **state)
{
	(void)state;
	assert_string_equal(table(), "0 total\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
	const struct CMUnitTest tests[] = {
		TEST(test_chain),	TEST(test_children), TEST(test_circles),
		TEST(test_generations), TEST(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
