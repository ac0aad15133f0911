/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of an unknown source (counter.h) appear in every format. Sinks, filters and queries need
 * no new code for a new source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/options.h"
#include "counter.h"
#include "html_parts.h"
#include "session/session.h"
#include "trace/play/trace.h"
#include "util/mem.h"

/*
 * Runs tracer with the options in `line`, separated by spaces. If `engine` is NULL, the options
 * select a trace. Returns the log. The caller must free it.
 */
static char *run_on(const struct engine *engine, const char *line, const char *source)
{
	char path[] = "/tmp/tracer-events-XXXXXX", text[512], *argv[16], *out;
	int argc = 0, fd = mkstemp(path);
	struct options o;
	off_t size;

	assert_true(fd >= 0);
	snprintf(text, sizeof(text), "tracer --quiet=attach %s -o%s", line, path);
	for (char *t = strtok(text, " "); t; t = strtok(NULL, " "))
		argv[argc++] = t;
	argv[argc] = NULL;
	options_parse(&o, argc, argv);
	if (engine)
		o.engine = engine;
	*vec_push(&o.filter.sources) = mem_strdup(source);
	assert_int_equal(session_run(&o), 0);
	vec_for_each (&o.traces, t)
		assert_int_equal(trace_close(*t), 0);
	options_deinit(&o);
	size = lseek(fd, 0, SEEK_END);
	out = mem_zalloc((size_t)size + 1);
	assert_int_equal(pread(fd, out, (size_t)size, 0), size);
	close(fd);
	unlink(path);
	return out;
}

static char *run(const char *line, const char *source)
{
	char all[300];

	snprintf(all, sizeof(all), "%s -p%d", line, COUNTER_THREAD);
	return run_on(&counter_engine, all, source);
}

static void check(const char *line, const char *source, const char *expected)
{
	char *text = run(line, source);

	assert_string_equal(text, expected);
	free(text);
}

static void test_text(void **state)
{
	(void)state;
	check("-T", "counter",
	      "--- counter even {count=0, word=\"w<0>\"} ---\n"
	      "--- counter odd {count=1, word=\"w<1>\"} ---\n"
	      "--- counter even {count=2, word=\"w<2>\"} = -1 ENOENT (No such file or directory) "
	      "---"
	      " <0.001000>\n"
	      "+++ exited with 0 +++\n");
}

/* Sinks receive the events of a source only if the user selected that source. */
static void test_sources(void **state)
{
	(void)state;
	check("-T", "other", "+++ exited with 0 +++\n");
	check("-e signal=none --where=count==1", "all",
	      "--- counter odd {count=1, word=\"w<1>\"} ---\n"
	      "+++ exited with 0 +++\n");
}

static void test_where(void **state)
{
	(void)state;
	check("--where=count>=1", "counter",
	      "--- counter odd {count=1, word=\"w<1>\"} ---\n"
	      "--- counter even {count=2, word=\"w<2>\"} = -1 ENOENT (No such file or directory) "
	      "---"
	      "\n+++ exited with 0 +++\n");
	check("--where=kind==signal||name==openat", "counter", "+++ exited with 0 +++\n");
	check("--where=comm==\"nosuch\"||signal==SIGHUP||error==EIO||nr==1||path==\"/x\"",
	      "counter", "+++ exited with 0 +++\n");
}

#define JSON_HEAD(type, ms)                                                                        \
	"{\"type\":\"" type "\",\"time\":1700000000.00" ms                                         \
	"000,\"pid\":5000300,\"tid\":5000300,\"comm\":\"\""

static void test_json(void **state)
{
	(void)state;
	check("--format=json", "counter",
	      JSON_HEAD("attach", "0") "}\n" JSON_HEAD(
		      "counter",
		      "1") ",\"name\":\"even\",\"args\":{\"count\":0,\"word\":\"w<0>\"}}"
			   "\n" JSON_HEAD("counter",
					  "2") ",\"name\":\"odd\",\"args\":{\"count\":1,\"word\":"
					       "\"w<1>\"}}\n" JSON_HEAD(
						       "counter",
						       "2") ",\"name\":\"even\","
							    "\"args\":{\"count\":"
							    "2,\"word\":\"w<2>\"},"
							    "\"ret\":-1,"
							    "\"error\":\"ENOENT\","
							    "\"duration\":0."
							    "001000000}"
							    "\n" JSON_HEAD("exit", "4") ",\"exit_"
											"status\""
											":0}\n");
}

static void test_summary(void **state)
{
	char *text = run("-c -w --format=csv", "counter"), *rows = strchr(text, '\n');

	(void)state;
	assert_non_null(rows);
	assert_string_equal(
		rows + 1, "syscall,x86_64,\"even\",\"\",100.00,0.001000000,0.000000000,0.001000000,"
			  "0.000500000,0.001000000,0.000000000,0.001000000,0.000500000,2,1\r\n"
			  "syscall,x86_64,\"odd\",\"\",0.00,0.000000000,0.000000000,0.000000000,"
			  "0.000000000,0.000000000,0.000000000,0.000000000,0.000000000,1,0\r\n");
	free(text);
}

static void test_chrome(void **state)
{
	char *text = run("--format=chrome", "counter");

	(void)state;
	assert_non_null(strstr(text,
			       ",{\"ph\":\"i\",\"pid\":5000300,\"tid\":5000300,\"ts\":2000.000,"
			       "\"s\":\"t\",\"cat\":\"counter\",\"name\":\"odd\",\"args\":"
			       "{\"args\":{\"count\":1,\"word\":\"w<1>\"}}}\n"));
	assert_non_null(strstr(text,
			       ",{\"ph\":\"X\",\"pid\":5000300,\"tid\":5000300,\"ts\":2000.000,"
			       "\"dur\":1000.000,\"cat\":\"counter\",\"name\":\"even\",\"args\":"
			       "{\"args\":{\"count\":2,\"word\":\"w<2>\"},\"ret\":-1,"
			       "\"error\":\"ENOENT\"}}\n"));
	free(text);
}

static void test_folded(void **state)
{
	(void)state;
	check("--format=folded", "counter", "?;even 1\n?;odd 1\n?;counter_function;even 1\n");
	check("--format=folded --weight=time", "counter", "?;counter_function;even 1000000\n");
}

static void test_html(void **state)
{
	char *page = run("--format=html", "counter");
	struct html_parts parts;

	(void)state;
	assert_non_null(html_parts_read(&parts, page));
	assert_non_null(strstr(strbuf_str(&parts.text),
			       "--- counter even {count=2, word=\"w<2>\"} = -1 ENOENT "
			       "(No such file or directory) ---"));
	html_parts_free(&parts);
	free(page);
}

/* Overwrites the times in JSON output, because they depend on the clock. */
static char *without_times(char *text)
{
	static const char key[] = "\"time\":";

	for (char *t = strstr(text, key); t; t = strstr(t, key))
		for (t += strlen(key); strspn(t, "0123456789."); t++)
			*t = '-';
	return text;
}

/*
 * A trace of the events produces the same output as the engine, with each of these options. It also
 * contains events that were not shown during the recording.
 */
static void test_recorded(void **state)
{
	static const char *const formats[] = {
		"-T",
		"-k -T",
		"--format=json -k",
		"--format=chrome -k",
		"--format=folded -k",
		"-c -w --format=csv",
		"--where=count>=1",
	};
	char path[] = "/tmp/tracer-recorded-XXXXXX", line[200];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(line, sizeof(line), "-k --write-trace=%s", path);
	free(run(line, "other"));
	for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
		char *live = without_times(run(formats[i], "counter")), *read;

		snprintf(line, sizeof(line), "%s --read-trace=%s", formats[i], path);
		read = without_times(run_on(NULL, line, "counter"));
		assert_string_equal(read, live);
		free(read);
		free(live);
	}
	unlink(path);
}

/* The stack of an event is shown with -k. */
static void test_stack(void **state)
{
	char *text = run("-k", "counter");

	(void)state;
	assert_non_null(strstr(text, "ENOENT (No such file or directory) ---\n > "));
	assert_non_null(strstr(text, "(counter_function+0x4) [0x1234]\n"));
	assert_null(strstr(strstr(text, "counter_function") + 1, "counter_function"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	cmocka_unit_test(test_sources),
		cmocka_unit_test(test_where),	cmocka_unit_test(test_json),
		cmocka_unit_test(test_summary), cmocka_unit_test(test_chrome),
		cmocka_unit_test(test_folded),	cmocka_unit_test(test_html),
		cmocka_unit_test(test_stack),	cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
