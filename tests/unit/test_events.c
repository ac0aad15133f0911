/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of an unknown source (counter.h) appear in every format. A new source needs no new code in
 * sinks, filters or queries.
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
#include "util/mem.h"

/*
 * Runs tracer with the options in `line`, separated by spaces. Returns the log. The caller must
 * free it.
 */
static char *run(const char *line, const char *source)
{
	char path[] = "/tmp/tracer-events-XXXXXX", text[256], *argv[16], *out;
	int argc = 0, fd = mkstemp(path);
	struct options o;
	off_t size;

	assert_true(fd >= 0);
	snprintf(text, sizeof(text), "tracer --quiet=attach %s -o%s -p%d", line, path,
		 COUNTER_THREAD);
	for (char *t = strtok(text, " "); t; t = strtok(NULL, " "))
		argv[argc++] = t;
	argv[argc] = NULL;
	options_parse(&o, argc, argv);
	o.engine = &counter_engine;
	*vec_push(&o.filter.sources) = mem_strdup(source);
	assert_int_equal(session_run(&o), 0);
	options_deinit(&o);
	size = lseek(fd, 0, SEEK_END);
	out = mem_zalloc((size_t)size + 1);
	assert_int_equal(pread(fd, out, (size_t)size, 0), size);
	close(fd);
	unlink(path);
	return out;
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
	      " <0.001500>\n"
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
						       "3") ",\"name\":\"even\","
							    "\"args\":{\"count\":"
							    "2,\"word\":\"w<2>\"},"
							    "\"ret\":-1,"
							    "\"error\":\"ENOENT\","
							    "\"duration\":0."
							    "001500000}"
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
		rows + 1, "syscall,x86_64,\"even\",\"\",100.00,0.001500000,0.000000000,0.001500000,"
			  "0.000750000,0.001500000,0.000000000,0.001500000,0.000750000,2,1\r\n"
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
			       ",{\"ph\":\"X\",\"pid\":5000300,\"tid\":5000300,\"ts\":3000.000,"
			       "\"dur\":1500.000,\"cat\":\"counter\",\"name\":\"even\",\"args\":"
			       "{\"args\":{\"count\":2,\"word\":\"w<2>\"},\"ret\":-1,"
			       "\"error\":\"ENOENT\"}}\n"));
	free(text);
}

static void test_folded(void **state)
{
	(void)state;
	check("--format=folded", "counter", "?;even 2\n?;odd 1\n");
	check("--format=folded --weight=time", "counter", "?;even 1500000\n");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	cmocka_unit_test(test_sources),
		cmocka_unit_test(test_where),	cmocka_unit_test(test_json),
		cmocka_unit_test(test_summary), cmocka_unit_test(test_chrome),
		cmocka_unit_test(test_folded),	cmocka_unit_test(test_html),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
