/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list and the process tree of --tui: rows, folding, filters, and a bounded window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/options.h"
#include "sinks/live/board.h"
#include "tui/job.h"
#include "tui/live.h"
#include "tui/model.h"
#include "tui/tree.h"

static struct row make(unsigned i, const char *name, int error)
{
	char line[256];
	int n = snprintf(line, sizeof(line), "c\t%u\t5\t12\t11\t%d\t3\t%s\tsh\t/a*b\t%s(%u) = 0", i,
			 error, name, name, i);
	struct row r;

	assert_true(row_parse(&r, line, (size_t)n));
	return r;
}

static void append(struct model *m, unsigned i, const char *name, int error)
{
	struct row r = make(i, name, error);

	model_append(m, &r);
}

static void test_row(void **state attr_unused)
{
	static const char bad[] =
		"c\t9\t5\t1\t1\t0\t-1\tr\033[2J\tc\x9b\t\tread(\"\r\b\xff\") = 0\t";
	struct row r = make(7, "read", 2);

	assert_int_equal(r.end, 7);
	assert_int_equal(r.duration, 5);
	assert_int_equal(r.tid, 12);
	assert_int_equal(r.pid, 11);
	assert_int_equal(r.error, 2);
	assert_int_equal(r.fd, 3);
	assert_string_equal(r.text, "read(7) = 0");
	row_deinit(&r);
	assert_false(row_parse(&r, "c\t1\t2", 5));
	/* Bytes that could control the terminal are replaced. */
	assert_true(row_parse(&r, bad, sizeof(bad) - 1));
	assert_string_equal(r.name, "r?[2J");
	assert_string_equal(r.comm, "c?");
	assert_string_equal(r.text, "read(\"???\") = 0?");
	row_deinit(&r);
}

static void test_fold(void **state attr_unused)
{
	struct model m = {.height = 10};

	append(&m, 1, "open", 0);
	append(&m, 2, "read", 0);
	append(&m, 3, "read", 0);
	append(&m, 4, "read", 11);
	append(&m, 5, "read", 0);
	assert_int_equal(m.items.n, 5);
	model_move(&m, 2);
	model_fold(&m, true);
	/* A failed call is not similar to one that succeeded. */
	assert_int_equal(m.items.n, 4);
	assert_int_equal(m.items.v[1].n, 2);
	assert_int_equal(m.cursor, 1);
	append(&m, 6, "read", 0);
	assert_int_equal(m.items.v[3].n, 2);
	model_fold(&m, false);
	assert_int_equal(model_selected(&m)->end, 2);
	model_deinit(&m);
}

static bool has_error(const struct row *r, void *ctx attr_unused)
{
	return r->error;
}

static void test_find(void **state attr_unused)
{
	struct model m = {.height = 2};

	for (unsigned i = 0; i < 10; i++)
		append(&m, i, "read", i == 3 || i == 7 ? 2 : 0);
	assert_int_equal(model_find(&m, 1, has_error, NULL), 3);
	model_select(&m, 3);
	assert_int_equal(m.cursor, 3);
	assert_int_equal(m.top, 2);
	assert_int_equal(model_find(&m, 1, has_error, NULL), 7);
	assert_int_equal(model_find(&m, -1, has_error, NULL), -1);
	model_move(&m, 100);
	assert_int_equal(model_find(&m, -1, has_error, NULL), 7);
	model_deinit(&m);
}

/* The window stays bounded, and the selected row stays selected. */
static void test_window(void **state attr_unused)
{
	struct model m = {.height = 20, .at_start = true};
	struct row before[100];

	for (unsigned i = 1000; i < 1000 + MODEL_ROWS_MAX; i++)
		append(&m, i, "read", 0);
	model_move(&m, MODEL_ROWS_MAX);
	assert_int_equal(model_selected(&m)->end, 1000 + MODEL_ROWS_MAX - 1);
	append(&m, 1000 + MODEL_ROWS_MAX, "read", 0);
	assert_true(m.rows.n && m.rows.n <= MODEL_ROWS_MAX);
	assert_false(m.at_start);
	assert_int_equal(model_selected(&m)->end, 1000 + MODEL_ROWS_MAX - 1);
	model_move(&m, -MODEL_ROWS_MAX);
	while (m.rows.n < MODEL_ROWS_MAX)
		append(&m, (unsigned)m.rows.v[m.rows.n - 1].end + 1, "read", 0);
	m.at_end = true;
	for (unsigned i = 0; i < 100; i++)
		before[i] = make((unsigned)m.rows.v[0].end - 100 + i, "read", 0);
	model_move(&m, 5);
	model_prepend(&m, before, 100);
	assert_int_equal(m.rows.n, MODEL_ROWS_MAX);
	assert_false(m.at_end);
	assert_int_equal(m.cursor, 105);
	assert_int_equal(m.rows.v[0].end, m.rows.v[100].end - 100);
	model_deinit(&m);
}

static void test_filter(void **state attr_unused)
{
	struct model m = {.height = 2};
	struct strbuf b = {0};
	struct row r = make(1, "read", 0);

	model_where(&m, &b);
	assert_int_equal(b.len, 0);
	model_push(&m, "error || ret == 1", "mine");
	assert_true(model_push_facet(&m, &r, FACET_HIDE));
	assert_true(model_push_facet(&m, &r, FACET_PATH));
	assert_true(model_push_facet(&m, &r, FACET_PROCESS));
	model_where(&m, &b);
	assert_string_equal(strbuf_str(&b), "(error || ret == 1) && (!(name == \"read\")) && "
					    "(path == \"/a?b\") && (pid == 11)");
	r.fd = -100;
	assert_false(model_push_facet(&m, &r, FACET_FD));
	assert_int_equal(m.clauses.n, 4);
	assert_true(model_pop(&m));
	model_deinit(&m);
	strbuf_deinit(&b);
	row_deinit(&r);
}

static void add(struct tree *t, const char *line)
{
	assert_true(tree_add(t, line, strlen(line)));
}

static void test_tree(void **state attr_unused)
{
	struct tree t = {0};

	add(&t, "P\t1\t0\t10\t90\t5\t1\tsh\texited with 0\tsh -c x");
	add(&t, "P\t2\t1\t20\t80\t5\t1\tmake\t\tmake");
	add(&t, "P\t3\t1\t30\t70\t5\t1\tls\t\tls");
	add(&t, "P\t4\t2\t40\t60\t5\t1\tcc\t\tc\033c");
	assert_false(tree_add(&t, "P\t1\t2", 5));
	tree_arrange(&t);
	assert_int_equal(t.visible.n, 4);
	assert_int_equal(t.nodes.v[2].pid, 4);
	assert_int_equal(t.nodes.v[2].depth, 2);
	assert_string_equal(t.nodes.v[2].command, "c?c");
	tree_fold(&t, 1);
	assert_int_equal(t.visible.n, 3);
	assert_int_equal(t.nodes.v[t.visible.v[2]].pid, 3);
	tree_fold(&t, 1);
	assert_int_equal(t.visible.n, 4);
	tree_deinit(&t);
}

/* Lets this process open n more descriptors. Returns the previous limit. */
static struct rlimit limit_descriptors(unsigned n)
{
	const int next = dup(STDERR_FILENO);
	struct rlimit old;

	close(next);
	getrlimit(RLIMIT_NOFILE, &old);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)next + n, old.rlim_max});
	return old;
}

static void check_message(struct job *j, const char *message)
{
	struct strbuf text = {0};

	while (job_read(j) || !j->ended)
		;
	assert_int_equal(j->status, 127);
	job_message(j, &text);
	assert_string_equal(strbuf_str(&text), message);
	strbuf_deinit(&text);
	job_stop(j);
}

/* A job that cannot be started reports the reason. */
static void test_job(void **state attr_unused)
{
	char *argv[] = {(char *)"tracer", NULL, NULL};
	struct job j = {0};

	for (unsigned i = 0; i < 3; i++) {
		struct rlimit old = limit_descriptors(i);

		job_start(&j, argv, -1);
		setrlimit(RLIMIT_NOFILE, &old);
		check_message(&j, "cannot start tracer: Too many open files");
	}
	/* No argument may be longer than 128 KiB. */
	argv[1] = calloc(1, 1 << 20);
	memset(argv[1], 'x', (1 << 20) - 1);
	job_start(&j, argv, -1);
	free(argv[1]);
	check_message(&j, "cannot execute tracer: Argument list too long");
}

/* If the recorder cannot be started, a message contains the reason. */
static void test_live(void **state attr_unused)
{
	const int messages = memfd_create("messages", 0), kept = dup(STDERR_FILENO);
	const struct options o = {.live_ns = 1};
	struct rlimit old = limit_descriptors(1);
	char text[256] = "";
	struct recording r;

	fflush(stderr);
	dup2(messages, STDERR_FILENO);
	assert_false(live_start(&r, &o));
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	setrlimit(RLIMIT_NOFILE, &old);
	assert_true(pread(messages, text, sizeof(text) - 1, 0) > 0);
	assert_non_null(strstr(text, "--live: pipe: Too many open files\n"));
	close(messages);
	close(kept);
	close(r.output);
	live_board_destroy(r.board);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row),    cmocka_unit_test(test_fold),
		cmocka_unit_test(test_find),   cmocka_unit_test(test_window),
		cmocka_unit_test(test_filter), cmocka_unit_test(test_tree),
		cmocka_unit_test(test_job),    cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
