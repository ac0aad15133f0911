/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary sink: tables as printed by strace 7.2, and tables that only tracer has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "range.h"
#include "give.h"
#include "fake_stack.h"
#include "linux/arch/abi.h"
#include "sinks/live/board.h"
#include "sinks/live/live.h"
#include "sinks/summary/summary.h"
#include "capture/capture.h"
#include "util/strbuf.h"

/* The ABI of most tests, because syscalls of other ABIs get separate tables. */
#define NATIVE (abi_native()->index)

static struct strbuf out;
static struct event who;

static int capture(void *ctx, const char *text, size_t n)
{
	strbuf_add(ctx, text, n);
	return 0;
}

static struct sink *create(struct summary_config *c)
{
	c->write = capture;
	c->ctx = &out;
	out.len = 0;
	return summary_sink_create(c);
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static void call(struct sink *s, unsigned abi, uint64_t nr, const char *name, enum ret_kind kind,
		 uint64_t wall, uint64_t cpu)
{
	struct syscall_event e = {
		.base = {.tid = who.tid,
			 .tgid = who.tgid,
			 .name = name,
			 .ret_kind = kind,
			 .duration = timespec_of(wall)},
		.abi = &abis[abi],
		.set_nr = nr,
		.cpu_ns = cpu,
	};

	memcpy(e.base.comm, who.comm, sizeof(e.base.comm));
	give_call(s, EVENT_SYSCALL, &e);
}

static void check(struct sink *s, const char *expected)
{
	assert_int_equal(s->ops->end(s), 0);
	assert_string_equal(strbuf_str(&out), expected);
}

static void columns(struct summary_config *c, const enum summary_column *list, unsigned n)
{
	summary_config_init(c);
	memcpy(c->columns, list, n * sizeof(*list));
	c->column_count = n;
}

#define COLUMNS(c, ...)                                                                            \
	columns(c, (const enum summary_column[]){__VA_ARGS__},                                     \
		sizeof((const enum summary_column[]){__VA_ARGS__}) / sizeof(enum summary_column))

static void test_default(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	summary_config_init(&c);
	s = create(&c);
	call(s, NATIVE, 21, "access", RET_ERROR, 5000, 0);
	call(s, NATIVE, 3, "close", RET_VALUE, 5000, 0);
	call(s, NATIVE, 3, "close", RET_VALUE, 5000, 0);
	call(s, NATIVE, 231, "exit_group", RET_NONE, 5000, 0);
	call(s, NATIVE, 230, "clock_nanosleep", RET_NONE, 5000, 0);
	check(s, "% time     seconds  usecs/call     calls    errors syscall\n"
		 "------ ----------- ----------- --------- --------- ----------------\n"
		 "  0.00    0.000000           0         2           close\n"
		 "  0.00    0.000000           0         1         1 access\n"
		 "------ ----------- ----------- --------- --------- ----------------\n"
		 "100.00    0.000000           0         3         1 total\n");
}

/* The sums of --live are those of -c: a call that never returns is not counted. */
static void test_live(void **state)
{
	struct live_board *board = live_board_create();
	struct sink *s = live_sink_create(&(struct live_config){.board = board});
	struct live_snapshot snapshot = {0};

	(void)state;
	assert_non_null(board);
	s->ops->started(s);
	call(s, NATIVE, 3, "close", RET_VALUE, 5000, 0);
	call(s, NATIVE, 3, "close", RET_NONE, 7000, 0);
	call(s, NATIVE, 230, "clock_nanosleep", RET_NONE, 9000, 0);
	assert_int_equal(s->ops->end(s), 0);
	assert_true(live_board_get(board, &snapshot));
	assert_int_equal(snapshot.threads.n, 1);
	assert_int_equal(snapshot.threads.v[0].all.calls, 1);
	assert_int_equal(snapshot.threads.v[0].all.time, 5000);
	live_snapshot_deinit(&snapshot);
	live_board_destroy(board);
}

static void test_nothing(void **state)
{
	struct summary_config c;

	(void)state;
	summary_config_init(&c);
	check(create(&c), "");
}

/* Lost events are not in any row. Each format reports the number of lost events. */
static void test_lost(void **state)
{
	static const struct {
		enum summary_format format;
		uint64_t count;
		const char *text;
	} cases[] = {
		{SUMMARY_TABLE, 1, "1 event was lost and not counted here\n"},
		{SUMMARY_TABLE, 7, "14 events were lost and not counted here\n"},
		{SUMMARY_JSON, 7,
		 "{\"type\":\"summary\",\"by\":\"lost\",\"name\":\"events\",\"calls\":14}\n"},
		{SUMMARY_CSV, 7, "by,abi,name,comm,errors,calls\r\nlost,,\"events\",\"\",,14\r\n"},
	};
	struct summary_config c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct lost_event e = {.base = who, .count = cases[i].count};
		struct sink *s;

		COLUMNS(&c, SUMMARY_ERRORS, SUMMARY_CALLS);
		c.format = cases[i].format;
		s = create(&c);
		give_lost(s, &e);
		if (cases[i].count > 1)
			give_lost(s, &e);
		check(s, cases[i].text);
	}
}

static void test_columns(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_TIME_PERCENT, SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_NAME,
		SUMMARY_TOTAL_TIME, SUMMARY_MIN_TIME, SUMMARY_MAX_TIME, SUMMARY_AVG_TIME,
		SUMMARY_WALL_TOTAL, SUMMARY_WALL_MIN, SUMMARY_WALL_MAX, SUMMARY_WALL_AVG);
	c.overhead_ns = 1000;
	s = create(&c);
	call(s, NATIVE, 0, "read", RET_VALUE, 2001000, 1001600);
	call(s, NATIVE, 0, "read", RET_RESTART, 500, 0);
	call(s, NATIVE, 450, "set_mempolicy_home_node", RET_VALUE, 4001000, 1001400);
	check(s,
	      "% time     calls    errors syscall                      seconds shortest  longest "
	      " usecs/call  wall-total wall-min wall-max    wall-avg\n"
	      "------ --------- --------- ------------------------ ----------- -------- -------- "
	      "----------- ----------- -------- -------- -----------\n"
	      " 50.00         2         1 read                        0.001001 0.000000 0.001001 "
	      "        500    0.002000 0.000000 0.002000        1000\n"
	      " 50.00         1           set_mempolicy_home_node     0.001000 0.001000 0.001000 "
	      "       1000    0.004000 0.004000 0.004000        4000\n"
	      "------ --------- --------- ------------------------ ----------- -------- -------- "
	      "----------- ----------- -------- -------- -----------\n"
	      "100.00         3         1 total                       0.002001 0.000000 0.001001 "
	      "        667    0.006000 0.000000 0.004000        2000\n");
}

static void test_sort(void **state)
{
	static const struct {
		enum summary_column by;
		const char *order;
	} orders[] = {
		{SUMMARY_NAME, "a b c d "},	  {SUMMARY_NOTHING, "c d b a "},
		{SUMMARY_CALLS, "b c d a "},	  {SUMMARY_ERRORS, "d c b a "},
		{SUMMARY_TOTAL_TIME, "a b d c "}, {SUMMARY_MAX_TIME, "a d b c "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct summary_config c;
		struct sink *s;
		char order[64] = "";

		COLUMNS(&c, SUMMARY_NAME);
		c.wall_clock = true;
		c.sort_by = orders[i].by;
		s = create(&c);
		call(s, NATIVE, 1, "c", RET_VALUE, 10, 0);
		call(s, NATIVE, 2, "d", RET_ERROR, 30, 0);
		call(s, NATIVE, 3, "b", RET_VALUE, 20, 0);
		call(s, NATIVE, 3, "b", RET_VALUE, 20, 0);
		call(s, NATIVE, 4, "a", RET_VALUE, 90, 0);
		assert_int_equal(s->ops->end(s), 0);
		for (char *line = strtok((char *)strbuf_str(&out), "\n"); line;
		     line = strtok(NULL, "\n")) {
			if (!line[1])
				snprintf(order + strlen(order), 3, "%s ", line);
		}
		assert_string_equal(order, orders[i].order);
	}
}

static void test_abis(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	if (NATIVE != ABI_X86_64)
		skip();
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	s = create(&c);
	call(s, ABI_X32, 39, "getpid", RET_VALUE, 1, 0);
	call(s, ABI_I386, 20, "getpid", RET_VALUE, 1, 0);
	call(s, ABI_X86_64, 39, "getpid", RET_VALUE, 1, 0);
	check(s, "    calls syscall\n--------- ----------------\n        1 getpid\n"
		 "--------- ----------------\n        1 total\n"
		 "System call usage summary for 32 bit mode:\n"
		 "    calls syscall\n--------- ----------------\n        1 getpid\n"
		 "--------- ----------------\n        1 total\n"
		 "System call usage summary for x32 mode:\n"
		 "    calls syscall\n--------- ----------------\n        1 getpid\n"
		 "--------- ----------------\n        1 total\n");
}

/* Percentiles are within 1/16 of the true value, and exact at the extremes. */
static void test_percentiles(void **state)
{
	struct summary_config c;
	double p50, p90, p99;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_P50, SUMMARY_P90, SUMMARY_P99, SUMMARY_NAME);
	s = create(&c);
	for (unsigned i = 1; i <= 1000; i++)
		call(s, NATIVE, 0, "read", RET_VALUE, i * 1000000, 0);
	assert_int_equal(s->ops->end(s), 0);
	assert_int_equal(sscanf(strbuf_str(&out), "%*[^\n]\n%*[^\n]\n%*[^\n]\n%lf %lf %lf", &p50,
				&p90, &p99),
			 3);
	assert_int_equal(strncmp(strbuf_str(&out),
				 "p50, p90, p99: elapsed seconds that 50%, 90%, 99% of the calls "
				 "did not exceed\n",
				 78),
			 0);
	assert_true(p50 > 0.5 * 0.96 && p50 < 0.5 * 1.04);
	assert_true(p90 > 0.9 * 0.96 && p90 < 0.9 * 1.04);
	assert_true(p99 > 0.99 * 0.96 && p99 < 1.0);

	s = create(&c);
	call(s, NATIVE, 0, "read", RET_VALUE, UINT64_C(3600000000000) * 1000, 0);
	call(s, NATIVE, 1, "write", RET_VALUE, 3000, 0);
	call(s, NATIVE, 2, "open", RET_VALUE, 0, 0);
	assert_int_equal(s->ops->end(s), 0);
	assert_non_null(strstr(strbuf_str(&out), "0.000003 0.000003 0.000003 write\n"));
	assert_non_null(strstr(strbuf_str(&out), "0.000000 0.000000 0.000000 open\n"));
	assert_non_null(strstr(strbuf_str(&out), "3600000.000000 3600000.000000 "));
}

static void test_path(void **state)
{
	struct value path = {
		.kind = VALUE_STRING, .flags = VALUE_F_PATH, .str = "/etc/a\nb", .len = 8};
	struct value fd = {.kind = VALUE_FD, .num = 3, .str = "/x", .len = 2};
	struct syscall_event e = {
		.base = {.tid = who.tid,
			 .tgid = who.tgid,
			 .name = "read",
			 .ret_kind = RET_VALUE,
			 .nargs = 2,
			 .args = {{.name = "fd", .in = &fd}, {.name = "path", .in = &path}}},
		.abi = &abis[NATIVE]};
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_PATH;
	s = create(&c);
	give_call(s, EVENT_SYSCALL, &e);
	e.base.nargs = 1;
	give_call(s, EVENT_SYSCALL, &e);
	e.base.nargs = 0;
	give_call(s, EVENT_SYSCALL, &e);
	check(s, "    calls path\n--------- ----------------\n        1 /etc/a?b\n"
		 "        1 /x\n        1 (no path)\n--------- ----------------\n"
		 "        3 total\n");
}

static void test_socket(void **state)
{
	struct value port = {.kind = VALUE_UINT, .name = "port", .num = 80};
	struct value address = {.kind = VALUE_ADDRESS,
				.name = "address",
				.num = AF_INET,
				.str = "\x7f\0\0\1",
				.len = 4,
				.next = &port};
	struct value inode = {
		.kind = VALUE_UINT, .name = "inode", .num = 1849818, .next = &address};
	struct value protocol = {
		.kind = VALUE_STRING, .name = "protocol", .str = "TCP", .len = 3, .next = &inode};
	struct value socket = {.kind = VALUE_SOCKET, .child = &protocol, .last = &port};
	struct value fd = {.kind = VALUE_FD, .num = 3, .str = "socket:[1849818]", .len = 16};
	struct syscall_event e = {.base = {.tid = who.tid,
					   .tgid = who.tgid,
					   .name = "read",
					   .ret_kind = RET_VALUE,
					   .nargs = 1,
					   .args = {{.name = "fd", .in = &fd}}},
				  .abi = &abis[NATIVE]};
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_PATH;
	s = create(&c);
	give_call(s, EVENT_SYSCALL, &e);
	fd.extra = &socket;
	give_call(s, EVENT_SYSCALL, &e);
	check(s, "    calls path\n--------- ----------------\n        1 socket:[1849818]\n"
		 "        1 TCP:[127.0.0.1:80]\n--------- ----------------\n        2 total\n");
}

static void test_long_path(void **state)
{
	enum { LENGTH = 1 << 20 };
	struct value path = {.kind = VALUE_STRING, .flags = VALUE_F_PATH, .len = LENGTH};
	struct syscall_event e = {.base = {.tid = who.tid,
					   .tgid = who.tgid,
					   .name = "read",
					   .ret_kind = RET_VALUE,
					   .nargs = 1,
					   .args = {{.name = "path", .in = &path}}},
				  .abi = &abis[NATIVE]};
	char *text = malloc(LENGTH);
	struct summary_config c;
	struct sink *s;

	(void)state;
	memset(text, 'a', LENGTH);
	path.str = text;
	COLUMNS(&c, SUMMARY_NAME);
	c.by = SUMMARY_BY_PATH;
	s = create(&c);
	give_call(s, EVENT_SYSCALL, &e);
	assert_int_equal(s->ops->end(s), 0);
	assert_uint_in_range(out.len, 1000, 10000);
	free(text);
}

static void test_process(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_THREAD;
	who.tid = 4000000;
	strcpy(who.comm, "worker");
	s = create(&c);
	call(s, NATIVE, 0, "read", RET_VALUE, 1, 0);
	call(s, NATIVE, 1, "write", RET_VALUE, 1, 0);
	check(s, "    calls thread\n--------- ----------------\n        2 4000000 worker\n"
		 "--------- ----------------\n        2 total\n");
}

/*
 * The number of rows and the memory usage are bounded however many keys there are. The keys with
 * the most time are kept.
 */
static void test_bounded(void **state)
{
	unsigned long calls, sum = 0, all = 0, hot = 0, rows = 0;
	struct summary_config c;
	struct sink *s;
	char name[32], *line, *next;

	(void)state;
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	s = create(&c);
	for (unsigned i = 0; i < 50000; i++) {
		snprintf(name, sizeof(name), "syscall_%#x", i);
		call(s, NATIVE, i, name, RET_VALUE, 1, 0);
		/* This key appears late and rarely. */
		if (i >= 10000 && i % 100 == 0)
			call(s, NATIVE, 100000, "hot", RET_VALUE, 1000, 0);
	}
	assert_int_equal(s->ops->end(s), 0);
	for (line = (char *)strbuf_str(&out); *line; line = next + 1) {
		next = strchr(line, '\n');
		if (sscanf(line, "%lu %31s", &calls, name) != 2)
			continue;
		if (!strcmp(name, "total")) {
			all = calls;
			continue;
		}
		rows++;
		sum += calls;
		if (!strcmp(name, "hot"))
			hot = calls;
	}
	assert_int_equal(rows, 4097);
	assert_int_equal(hot, 400);
	assert_int_equal(sum, 50400);
	assert_int_equal(all, 50400);
	assert_non_null(strstr(strbuf_str(&out), " (others)\n"));
}

/*
 * Reports a syscall that takes 1 ms for each letter. The letters are the names of the functions on
 * its stack, innermost function first.
 */
static void call_from(struct sink *s, const char *letters)
{
	struct frame frames[8] = {{0}};
	char names[8][2] = {{0}};
	struct fake_stack stack = {frames, strlen(letters), STACK_COMPLETE};
	struct syscall_event e = {.base = {.tid = who.tid,
					   .tgid = who.tgid,
					   .name = "read",
					   .ret_kind = RET_VALUE,
					   .duration = {0, (long)stack.n * 1000000},
					   .stack = FAKE_STACK(&stack)},
				  .abi = &abis[NATIVE]};

	for (size_t i = 0; i < stack.n; i++) {
		names[i][0] = letters[i];
		frames[i] = (struct frame){.symbol = names[i]};
	}
	give_call(s, EVENT_SYSCALL, &e);
}

static void some_stacks(struct sink *s)
{
	char unwinder;

	s->unwinder = (struct unwinder *)&unwinder;
	call_from(s, "cbam");
	call_from(s, "cbam");
	call_from(s, "dbam");
	call_from(s, "am");
	call_from(s, "xm");
	call_from(s, "z");
	s->unwinder = NULL;
}

static void test_tree(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_TIME_PERCENT, SUMMARY_WALL_TOTAL, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_STACK;
	c.wall_clock = true;
	s = create(&c);
	some_stacks(s);
	/*
	 * The function `a` also makes a syscall itself. A function with only one callee shares a
	 * row with this callee.
	 */
	check(s, "% time  wall-total     calls stack\n"
		 "------ ----------- --------- ----------------\n"
		 " 94.12    0.016000         5 m\n"
		 " 82.35    0.014000         4   a\n"
		 " 70.59    0.012000         3     b\n"
		 " 47.06    0.008000         2       c\n"
		 " 23.53    0.004000         1       d\n"
		 " 11.76    0.002000         1   x\n"
		 "  5.88    0.001000         1 z\n"
		 "------ ----------- --------- ----------------\n"
		 "100.00    0.017000         6 total\n");
	c.top = 2;
	s = create(&c);
	some_stacks(s);
	check(s, "% time  wall-total     calls stack\n"
		 "------ ----------- --------- ----------------\n"
		 " 70.59    0.012000         3 m > a > b\n"
		 " 47.06    0.008000         2   c\n"
		 " 23.53    0.004000         1   d\n"
		 " 29.41    0.005000         3 (others)\n"
		 "------ ----------- --------- ----------------\n"
		 "100.00    0.017000         6 total\n");
}

/* The percentiles of a function cover all syscalls below the function. */
static void test_tree_percentiles(void **state)
{
	struct summary_config c;
	struct sink *s;

	(void)state;
	COLUMNS(&c, SUMMARY_P90, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_STACK;
	c.sort_by = SUMMARY_P90;
	s = create(&c);
	some_stacks(s);
	check(s, "p90: elapsed seconds that 90% of the calls did not exceed\n"
		 "     p90     calls stack\n"
		 "-------- --------- ----------------\n"
		 "0.003998         5 m\n"
		 "0.003998         4   a\n"
		 "0.004000         3     b\n"
		 "0.004000         2       c\n"
		 "0.004000         1       d\n"
		 "0.002000         1   x\n"
		 "0.001000         1 z\n"
		 "-------- --------- ----------------\n"
		 "0.003998         6 total\n");
}

/* Reports a syscall whose stack consists of these functions, innermost function first. */
static void call_of(struct sink *s, const char *const *names, size_t n)
{
	struct frame frames[8] = {{0}};
	struct fake_stack stack = {frames, n, STACK_COMPLETE};
	struct syscall_event e = {.base = {.tid = who.tid,
					   .tgid = who.tgid,
					   .name = "read",
					   .ret_kind = RET_VALUE,
					   .stack = FAKE_STACK(&stack)},
				  .abi = &abis[NATIVE]};

	for (size_t i = 0; i < n; i++)
		frames[i].symbol = (char *)names[i];
	give_call(s, EVENT_SYSCALL, &e);
}

/* On a terminal, the middle of a long row is left out. */
static void test_tree_width(void **state)
{
	static const char *const chain[] = {"read",  "fill_buffer", "next_line",
					    "parse", "load",	    "main"};
	static const char *const wide[] = {
		"grüße_grüße_grüße_grüße_grüße_grüße_grüße_grüße_grüße_grüße", "main"};
	struct summary_config c;
	struct sink *s;
	char unwinder;

	(void)state;
	COLUMNS(&c, SUMMARY_CALLS, SUMMARY_NAME);
	c.by = SUMMARY_BY_STACK;
	c.width = 50;
	s = create(&c);
	s->unwinder = (struct unwinder *)&unwinder;
	call_of(s, chain, ARRAY_SIZE(chain));
	call_of(s, wide, ARRAY_SIZE(wide));
	s->unwinder = NULL;
	check(s, "    calls stack\n"
		 "--------- ----------------\n"
		 "        2 main\n"
		 "        1   load > parse > ... > read\n"
		 "        1   grüße_grüße_grüß...e_grüße_grüße_grüße\n"
		 "--------- ----------------\n"
		 "        2 total\n");
	/* On a terminal that is too narrow, rows are wider than the terminal. */
	c.width = 10;
	s = create(&c);
	s->unwinder = (struct unwinder *)&unwinder;
	call_of(s, chain, ARRAY_SIZE(chain));
	s->unwinder = NULL;
	check(s, "    calls stack\n"
		 "--------- ----------------\n"
		 "        1 main > ... > read\n"
		 "--------- ----------------\n"
		 "        1 total\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default),	    cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_lost),	    cmocka_unit_test(test_columns),
		cmocka_unit_test(test_sort),	    cmocka_unit_test(test_abis),
		cmocka_unit_test(test_percentiles), cmocka_unit_test(test_path),
		cmocka_unit_test(test_process),	    cmocka_unit_test(test_socket),
		cmocka_unit_test(test_bounded),	    cmocka_unit_test(test_long_path),
		cmocka_unit_test(test_tree),	    cmocka_unit_test(test_tree_percentiles),
		cmocka_unit_test(test_tree_width),  cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
