/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests --format=folded, chrome and flamegraph with synthetic events. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "give.h"
#include "fake_stack.h"
#include "sinks/chrome/chrome.h"
#include "sinks/html/flamegraph.h"
#include "sinks/profile/folded.h"
#include "capture/capture.h"

static const struct frame work_frames[] = {
	{.module = "/lib/libc.so.6", .symbol = "read", .addr = 0x1000, .offset = 0x10},
	{.module = "/bin/app", .symbol = "work;\n<int>", .addr = 0x2000},
	{.module = "/opt/lib/libx.so.1", .addr = 0x3000},
	{.module = "[vdso]", .addr = 0x10},
	{.addr = 0x4000},
	{.module = "/bin/app", .symbol = "main", .addr = 0x5000, .offset = 5},
};
static struct fake_stack work = {work_frames, ARRAY_SIZE(work_frames), STACK_COMPLETE};

static struct event who;

static struct syscall_event call(const char *name, enum ret_kind kind, int64_t ret, long ns,
				 struct fake_stack *stack)
{
	struct syscall_event e = {.base = who};

	e.base.name = name;
	e.base.ret_kind = kind;
	e.base.ret = ret;
	e.base.mono = (struct timespec){100, 5000};
	e.base.duration.tv_nsec = ns;
	e.base.stack = FAKE_STACK(stack);
	return e;
}

static void feed(struct sink *s)
{
	struct syscall_event e;

	assert_non_null(s);
	s->unwinder = (struct unwinder *)s;
	who = (struct event){.tid = 13, .tgid = 12, .comm = "a;b\xff\xc3\xa9\xc3"};
	e = call("read", RET_VALUE, 100, 1000, &work);
	give_call(s, EVENT_SYSCALL, &e);
	give_call(s, EVENT_SYSCALL, &e);
	e = call("read", RET_ERROR, EIO, 500, &work);
	give_call(s, EVENT_SYSCALL, &e);
	e = call("getpid", RET_VALUE, 12, 7, &fake_stack_bad);
	give_call(s, EVENT_SYSCALL, &e);
	e = call("exit", RET_NONE, 0, 0, NULL);
	give_call(s, EVENT_SYSCALL, &e);
}

static char path[32];

static void new_path(void)
{
	int fd;

	strcpy(path, "/tmp/test_stacks.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
}

static char *slurp(void)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	char *text;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	text = malloc(st.st_size + 1);
	assert_int_equal(read(fd, text, st.st_size), st.st_size);
	text[st.st_size] = 0;
	close(fd);
	unlink(path);
	return text;
}

static void check_folded(enum weight weight, const char *expected)
{
	struct sink_config config = {.path = path, .weight = weight};
	struct sink *s;
	char *text;

	new_path();
	s = folded_sink_create(&config);
	feed(s);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_string_equal(text, expected);
	free(text);
}

#define WORK "a:b\\xffé\\xc3;main;[unknown];[vdso];[libx.so.1];work: <int>;read;read"

static void test_folded(void **state)
{
	(void)state;
	check_folded(WEIGHT_CALLS,
		     WORK " 3\n"
			  "a:b\\xffé\\xc3;[no unwind information];[app];f<int:2>;read;getpid 1\n"
			  "a:b\\xffé\\xc3;exit 1\n");
	check_folded(WEIGHT_TIME,
		     WORK " 2500\n"
			  "a:b\\xffé\\xc3;[no unwind information];[app];f<int:2>;read;getpid 7\n");
	check_folded(WEIGHT_ERRORS, WORK " 1\n");
	check_folded(WEIGHT_BYTES, WORK " 200\n");
}

/*
 * A program in which nearly every stack is new. Frames with few calls are merged, and the total
 * number of calls is kept.
 */
static void test_merged(void **state)
{
	enum { PLACES = 400000, HEAVY = 1000 };
	struct sink_config config = {.path = path, .weight = WEIGHT_CALLS};
	struct frame frames[2] = {work_frames[0], work_frames[5]};
	struct fake_stack stack = {frames, 2, STACK_COMPLETE};
	uint64_t calls = 0, lines = 0, merged = 0;
	struct syscall_event e;
	char symbol[32], *text;
	struct sink *s;

	(void)state;
	new_path();
	s = folded_sink_create(&config);
	s->unwinder = (struct unwinder *)s;
	who = (struct event){.tid = 12, .tgid = 12, .comm = "app"};
	frames[0].symbol = symbol;
	for (int i = 0; i < PLACES; i++) {
		snprintf(symbol, sizeof(symbol), "place%d", i);
		if (i % (PLACES / HEAVY) == 0)
			strcpy(symbol, "heavy");
		e = call("read", RET_VALUE, 100, 1, &stack);
		give_call(s, EVENT_SYSCALL, &e);
	}
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		uint64_t n = strtoull(strrchr(line, ' ') + 1, NULL, 10);

		lines++;
		calls += n;
		if (!strncmp(line, "app;main;heavy;", 15))
			assert_int_equal(n, HEAVY);
		if (!strncmp(line, "app;main;[merged] ", 18))
			merged = n;
	}
	assert_int_equal(calls, PLACES);
	assert_true(lines < PLACES / 2);
	assert_true(merged > PLACES / 2);
	free(text);
}

#define SLICE(phase, time, category, name)                                                         \
	",{\"ph\":\"" phase "\",\"pid\":12,\"tid\":12,\"ts\":" time ",\"cat\":\"" category         \
	"\",\"name\":\"" name "\""

static void test_chrome(void **state)
{
	struct frame frames[] = {{.symbol = "getpid"}, fake_frames[1], fake_frames[2]};
	struct fake_stack other = {frames, ARRAY_SIZE(frames), STACK_NO_CFI};
	struct sink_config config = {.path = path, .stacks = true};
	struct signal_event sig = {.base = who, .sig = SIGTERM};
	struct process_event p = {.base = who, .code = 3};
	struct syscall_event e;
	struct sink *s;
	char *text;

	(void)state;
	new_path();
	s = chrome_sink_create(&config);
	s->unwinder = (struct unwinder *)s;
	who = (struct event){.tid = 12, .tgid = 12, .comm = "app"};
	e = call("read", RET_ERROR, EIO, 1500, &fake_stack_bad);
	give_call(s, EVENT_ENTER, &e);
	e.base.mono.tv_nsec += 2000;
	give_call(s, EVENT_SYSCALL, &e);
	/* This stack differs from the previous stack only in the innermost function. */
	e = call("getpid", RET_VALUE, 12, 1000, &other);
	e.base.mono.tv_nsec += 10000;
	give_call(s, EVENT_SYSCALL, &e);
	who.tid = 13;
	e = call("getpid", RET_VALUE, 12, 1234567, NULL);
	e.base.mono.tv_sec++;
	give_call(s, EVENT_SYSCALL, &e);
	sig.base = p.base = head_of(&e.base);
	give_signal(s, &sig);
	give_process(s, &p);
	s->ops->thread_end(s, &who);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_string_equal(text,
			    "[{\"ph\":\"M\",\"pid\":12,\"tid\":12,\"name\":\"process_name\","
			    "\"args\":{\"name\":"
			    "\"app\"}}\n"
			    ",{\"ph\":\"M\",\"pid\":12,\"tid\":12,\"name\":\"thread_name\","
			    "\"args\":{\"name\":"
			    "\"app\"}}\n" SLICE("B", "2.000", "function", "[no unwind information]") "}\n" SLICE(
				    "B",
				    "2.000", "function", "[app]") "}\n" SLICE("B", "2.000",
									      "function", "f<int:2>") "}\n" SLICE("B", "2.000", "function", "read") "}\n" SLICE("B", "2.000", "syscall", "read") "}\n" SLICE("E", "3.500", "syscall", "read") ",\"args\":{\"args\":{},\"ret\":-1,\"error\":\"EIO\"}}\n" SLICE("E", "3.500", "function", "read") "}\n" SLICE("B",
																																											    "10.000",
																																											    "function",
																																											    "getpid") "}\n" SLICE("B",
																																														  "10.000",
																																														  "syscall",
																																														  "getpid") "}\n" SLICE("E",
																																																	"11.000",
																																																	"syscall", "getpid") ",\"args\":{\"args\":{},\"ret\":12}}\n"
																																																			     ",{\"ph\":\"M\",\"pid\":12,\"tid\":13,\"name\":\"thread_name\",\"args\":{\"name\":"
																																																			     "\"app\"}}\n"
																																																			     ",{\"ph\":\"B\",\"pid\":12,\"tid\":13,\"ts\":1000000.000,\"cat\":"
																																																			     "\"syscall\",\"name\":\"getpid\"}\n"
																																																			     ",{\"ph\":\"E\",\"pid\":12,\"tid\":13,\"ts\":1001234.567,\"cat\":"
																																																			     "\"syscall\",\"name\":\"getpid\",\"args\":{\"args\":{},\"ret\":12}}\n"
																																																			     ",{\"ph\":\"i\",\"pid\":12,\"tid\":13,\"ts\":1000000.000,\"s\":\"t\",\"cat\":"
																																																			     "\"signal\",\"name\":\"SIGTERM\",\"args\":{\"info\":null}}\n"
																																																			     ",{\"ph\":\"i\",\"pid\":12,\"tid\":13,\"ts\":1000000.000,\"s\":\"t\",\"cat\":"
																																																			     "\"process\",\"name\":\"exited with 3\",\"args\":{\"info\":null}}\n" SLICE("E",
																																																													"11.000", "function", "getpid") "}\n" SLICE("E", "11.000", "function", "f<int:2>") "}\n" SLICE("E", "11.000", "function", "[app]") "}\n" SLICE("E",
																																																																														       "11.000",
																																																																														       "function",
																																																																														       "[no unwind information]") "}\n"
																																																																																		  "]\n");
	free(text);
}

/* Of an event that began before time 0 of the log, the log contains the part after time 0. */
static void test_chrome_early(void **state)
{
	static const int64_t begins[] = {5000, 3000, 1000};
	struct sink_config config = {.path = path};
	struct event e = {.tid = 12, .tgid = 12, .source = "io_uring", .name = "nop"};
	struct syscall_event late;
	struct sink *s;
	char *text, *times, *save;

	(void)state;
	new_path();
	who = (struct event){.tid = 12, .tgid = 12};
	s = chrome_sink_create(&config);
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++) {
		e.mono = (struct timespec){10, begins[i]};
		e.duration = (struct timespec){0, 3500};
		e.has_duration = true;
		give(s, EVENT_OTHER, &e);
	}
	late = call("read", RET_VALUE, 1, 3500, NULL);
	late.base.mono = (struct timespec){10, 3000};
	give_call(s, EVENT_SYSCALL, &late);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_non_null(strstr(text, "{\"ph\":\"E\",\"pid\":12,\"tid\":12,\"ts\":1.500,"));
	times = strstr(text, "\"X\"");
	assert_non_null(strstr(times, "\"ts\":0.000,\"dur\":3.500,"));
	strtok_r(times, "\n", &save);
	assert_non_null(strstr(strtok_r(NULL, "\n", &save), "\"ts\":0.000,\"dur\":1.500,"));
	assert_non_null(strstr(strtok_r(NULL, "\n", &save), "\"ts\":0.000,\"dur\":0.000,"));
	free(text);
}

static void test_chrome_empty(void **state)
{
	struct sink_config config = {.path = path};
	struct sink *s;
	char *text;

	(void)state;
	new_path();
	s = chrome_sink_create(&config);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_string_equal(text, "[]\n");
	free(text);
}

static void test_flamegraph(void **state)
{
	struct sink_config config = {.path = path,
				     .weight = WEIGHT_TIME,
				     .command = (struct foreign[]){{"x"}, {"</script><b>\"&"}},
				     .command_len = 2};
	struct sink *s;
	char *text;

	(void)state;
	new_path();
	s = flamegraph_sink_create(&config);
	feed(s);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_int_equal(strncmp(text, "<!DOCTYPE html>\n", 16), 0);
	assert_non_null(strstr(text, "\n</html>\n"));
	assert_null(strstr(text, "@SCRIPT@"));
	/* The page loads nothing from the network, and no name in it can terminate its script. */
	assert_null(strstr(text, "://"));
	assert_non_null(strstr(text, "\"title\":\"x \\u003c/script>\\u003cb>\\\"&\""));
	assert_non_null(strstr(text, "\"weight\":\"time\""));
	assert_non_null(strstr(text, "\"work: \\u003cint>\",\n"));
	/* The root node, followed by its child "comm". */
	assert_non_null(strstr(text, "\"nodes\":[0,0,0,0,0,0,0,\n0,1,0,0,0,0,0,\n"));
	/* The node of read(), below its stack: three calls, 2500 ns, one error, 200 bytes. */
	assert_non_null(strstr(text, ",-1,3,2500,1,200,\n"));
	free(text);
}

/*
 * 10,000 distinct stacks of 100 frames. If FLAMEGRAPH_OUT is set, the page is written to that file
 * for manual inspection.
 */
static void test_flamegraph_large(void **state)
{
	struct sink_config config = {
		.path = path, .command = (struct foreign[]){{"./many"}}, .command_len = 1};
	static struct frame frames[100];
	static char names[200][32];
	struct fake_stack stack = {frames, 0, STACK_COMPLETE};
	uint32_t x = 1;
	struct sink *s;
	char *text;

	(void)state;
	new_path();
	if (getenv("FLAMEGRAPH_OUT"))
		config.path = getenv("FLAMEGRAPH_OUT");
	s = flamegraph_sink_create(&config);
	assert_non_null(s);
	s->unwinder = (struct unwinder *)s;
	for (unsigned i = 0; i < 200; i++)
		snprintf(names[i], sizeof(names[i]), "app::module_%u::step<%u>", i / 7, i);
	for (unsigned n = 0; n < 10000; n++) {
		struct syscall_event e;

		who = (struct event){.tid = 13, .tgid = 12, .comm = "many"};
		stack.n = 100;
		x = n;
		for (unsigned i = 0; i < 100; i++) {
			/* The outer frames are shared, and the inner frames differ. */
			unsigned pick =
				i < 96 ? i + (n % 3 == 0 && i > 20 ? 100 : 0) : 180 + x % 12;

			if (i >= 96)
				x /= 12;
			frames[99 - i] = (struct frame){.module = "/bin/many",
							.symbol = names[pick % 200],
							.addr = 0x1000 + i};
		}
		e = call(n % 2 ? "read" : "futex", n % 5 ? RET_VALUE : RET_ERROR, n % 4096,
			 1000 + n % 777, &stack);
		give_call(s, EVENT_SYSCALL, &e);
	}
	assert_int_equal(s->ops->end(s), 0);
	if (getenv("FLAMEGRAPH_OUT")) {
		unlink(path);
		return;
	}
	text = slurp();
	/* The page has one node for each distinct path, not one for each frame. */
	assert_true(strlen(text) < 3 * 1024 * 1024);
	free(text);
}

static void test_disk_full(void **state)
{
	struct sink_config config = {.path = "/dev/full"};
	struct sink *s = folded_sink_create(&config);

	(void)state;
	feed(s);
	assert_int_equal(s->ops->end(s), -ENOSPC);
	config.path = "/nonexistent/file";
	assert_null(folded_sink_create(&config));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded),		 cmocka_unit_test(test_merged),
		cmocka_unit_test(test_chrome),		 cmocka_unit_test(test_chrome_empty),
		cmocka_unit_test(test_chrome_early),	 cmocka_unit_test(test_flamegraph),
		cmocka_unit_test(test_flamegraph_large), cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
