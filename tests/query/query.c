/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * query FILE…: evaluates queries against syscalls that a file describes. A case is a syscall (see
 *tests/decode/call.h), followed by lines that begin with a tab:
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *		yes yes	name == openat
 *		open no	ret < 0
 *
 * Each line has the expected results at syscall entry and exit, and the expression. Prints "ok"
 * or "not ok" for each expression.
 *
 * query --time FILE EXPRESSION: prints how long it takes to evaluate EXPRESSION for the first
 * syscall in FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"
#include "query/calls.h"
#include "query/query.h"
#include "show.h"
#include "sinks/sink.h"

static const char *const truths[] = {[TRUTH_NO] = "no", [TRUTH_YES] = "yes", [TRUTH_OPEN] = "open"};

/* A sink that evaluates a query for each event that it receives. */
struct evaluator {
	struct sink sink;
	struct query *query;
	enum truth enter, exit;
	unsigned long times; /* number of times to evaluate the query at syscall exit */
	double seconds;	     /* total time of these evaluations */
};

static void evaluate_exit(struct evaluator *v, const struct syscall_event *e)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (unsigned long i = 0; i < v->times; i++)
		v->exit = query_eval_call(v->query, e, true, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	v->seconds =
		(double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

static void evaluate(struct sink *sink, const struct event *e)
{
	struct evaluator *v = container_of(sink, struct evaluator, sink);

	if (e->kind == EVENT_ENTER)
		v->enter = query_eval_call(v->query, event_syscall(e), false, NULL);
	else if (e->kind == EVENT_SYSCALL)
		evaluate_exit(v, event_syscall(e));
}

static const struct sink_ops ops = {.event = evaluate};

static bool check(const struct call *call, const char *enter, const char *exit, const char *text)
{
	struct query_error error;
	struct evaluator v = {.sink.ops = &ops, .times = 1, .query = query_new(text, &error)};
	struct syscall_set calls;
	bool good;

	if (!v.query) {
		printf("not ok query: %s\n# %s, at %zu\n", text, error.message, error.start);
		free(error.message);
		free(error.meant);
		return false;
	}
	show_to(call, &v.sink);
	query_calls(v.query, &calls);
	good = !strcmp(enter, truths[v.enter]) && !strcmp(exit, truths[v.exit]);
	/* If the query is true, its set of syscalls must contain this syscall. */
	if (v.exit == TRUTH_YES && !syscall_set_has(&calls, &abis[call->abi], call->nr)) {
		printf("# left out by the call's number\n");
		good = false;
	}
	printf("%sok query: %s: %s\n", good ? "" : "not ", call->name, text);
	if (!good)
		printf("# want: %s %s\n# got:  %s %s\n", enter, exit, truths[v.enter],
		       truths[v.exit]);
	query_free(v.query);
	return good;
}

/* Parses a line of a case, ENTER EXIT EXPRESSION, and checks the two results. */
static bool check_line(const struct call *call, char *line)
{
	char *save = NULL, *enter = strtok_r(line, " \t", &save);
	char *exit = strtok_r(NULL, " \t", &save);

	save += save ? strspn(save, " \t") : 0;
	if (!exit || !*save) {
		printf("not ok query: expected ENTER EXIT EXPRESSION\n");
		return false;
	}
	return check(call, enter, exit, save);
}

static bool check_file(const char *path)
{
	static struct call call;
	FILE *f = fopen(path, "r");
	char line[4096];
	bool good = f, known = false;

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (*line == '\t') {
			good &= known && check_line(&call, line + 1);
			continue;
		}
		call_release(&call);
		known = !call_parse(&call, line, CALL_ARENA);
		if (!known)
			printf("not ok query: %s\n# %s\n", line, call.error);
		good &= known;
	}
	call_release(&call);
	if (f)
		fclose(f);
	return good;
}

static int measure(const char *path, const char *text)
{
	static struct call call;
	struct query_error error;
	struct evaluator v = {.sink.ops = &ops, .times = 1000000};
	FILE *f = fopen(path, "r");
	char line[4096] = "";

	while (f && fgets(line, sizeof(line), f) && (*line == '#' || *line == '\n'))
		;
	if (f)
		fclose(f);
	line[strcspn(line, "\n")] = '\0';
	v.query = query_new(text, &error);
	if (!v.query || call_parse(&call, line, CALL_ARENA))
		return 2;
	show_to(&call, &v.sink);
	printf("%.3f us an evaluation: %s\n", v.seconds * 1e6 / (double)v.times, truths[v.exit]);
	query_free(v.query);
	call_release(&call);
	return 0;
}

int main(int argc, char **argv)
{
	bool good = argc > 1;

	if (argc == 4 && !strcmp(argv[1], "--time"))
		good = !measure(argv[2], argv[3]);
	else
		for (int i = 1; i < argc; i++)
			good &= check_file(argv[i]);
	show_end();
	return !good;
}
