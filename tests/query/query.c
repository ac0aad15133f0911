/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * query FILE…: evaluates queries against syscalls that a file describes. A case is a syscall (see
 * tests/decode/call.h), followed by lines that begin with a tab:
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *		yes yes	name == openat
 *		open no	ret < 0
 *
 * Each line has the expected results at syscall entry and exit, and the expression. Prints "ok"
 * or "not ok" for each expression.
 *
 * query --registers FILE…: reads syscalls from the cases of tests/decode. For each number among
 * their arguments, makes queries that match the syscall, and checks that the conditions of these
 * queries on argument registers hold.
 *
 * query --time FILE EXPRESSION: prints how long it takes to evaluate EXPRESSION for the first
 * syscall in FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"
#include "cases.h"
#include "event/find.h"
#include "query/calls.h"
#include "query/query.h"
#include "query/registers.h"
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
	bool holds;	     /* the registers of the call meet the conditions of the query */
	size_t conditions;   /* number of these conditions */
	uint64_t set_nr;     /* the call's number in a struct syscall_set */
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

/*
 * Checks the conditions for registers that are derived from a query. Returns false if the query
 * matches the call although its registers do not meet one of these conditions.
 */
static bool holds(const struct query *q, const struct syscall_event *e, size_t *conditions)
{
	struct query_registers r = {.n = 0};

	if (e->desc && !abi_is_foreign(e->abi, e->base.nr) &&
	    query_eval_call(q, e, true, NULL) == TRUTH_YES)
		query_registers(q, e->abi, e->base.nr, &r);
	*conditions += r.n;
	for (size_t i = 0; i < r.n; i++) {
		const struct query_register *of = &r.of[i];
		uint64_t value = e->raw_args[of->reg];

		/*
		 * If the ABI passes 64-bit arguments in two registers, the BPF engine records only
		 * 32 bits of each register.
		 */
		if (e->abi->splits64 && value > UINT32_MAX)
			continue;
		if (((value - of->min) & of->mask) > of->span || (value & of->bits) != of->bits)
			return false;
	}
	return true;
}

static void evaluate(struct sink *sink, const struct event *e)
{
	struct evaluator *v = container_of(sink, struct evaluator, sink);

	if (e->kind == EVENT_ENTER)
		v->enter = query_eval_call(v->query, event_syscall(e), false, NULL);
	if (e->kind == EVENT_SYSCALL) {
		evaluate_exit(v, event_syscall(e));
		v->set_nr = event_syscall(e)->set_nr;
		v->holds = holds(v->query, event_syscall(e), &v->conditions);
	}
}

static const struct sink_ops ops = {.event = evaluate};

/* A sink that checks the conditions of queries for each call. */
struct register_check {
	struct sink sink;
	const char *call; /* the call as text */
	size_t conditions, wrong;
};

static void check_registers(struct register_check *c, const struct syscall_event *e,
			    const char *name, const struct value *v)
{
	/* Each number is used in two of these forms. */
	static const char *const forms[] = {"%s == %s%llu", "%s <= %s%llu", "%s has %s%llu",
					    "%s >= %s%llu", "%s in {7, %s%llu}"};
	static size_t next;
	value_number number;
	unsigned bits;

	if (!v || !value_as_number(v, &number, &bits))
		return;
	for (size_t i = 0; i < 2; i++) {
		const char *sign = number < 0 ? "-" : "";
		const unsigned long long n = (unsigned long long)(number < 0 ? -number : number);
		struct query_error error;
		struct query *q;
		char text[256];

		snprintf(text, sizeof(text), forms[next++ % ARRAY_SIZE(forms)], name, sign, n);
		q = query_new(text, &error);
		if (!q) {
			free(error.message);
			free(error.meant);
			continue;
		}
		if (!holds(q, e, &c->conditions)) {
			printf("# %s: %s\n", c->call, text);
			c->wrong++;
		}
		query_free(q);
	}
}

static void check_arguments(struct sink *sink, const struct event *event)
{
	struct register_check *c = container_of(sink, struct register_check, sink);
	const struct syscall_event *e = event_syscall(event);
	const struct value *fd;

	if (event->kind != EVENT_SYSCALL)
		return;
	for (unsigned i = 0; i < event->nargs; i++) {
		const struct arg *a = &event->args[i];
		char name[64];

		snprintf(name, sizeof(name), "args.%s", a->name ? a->name : "");
		check_registers(c, e, name, a->out ? a->out : a->in);
	}
	fd = event_descriptor(e, true);
	check_registers(c, e, "fd", fd);
}

static const struct sink_ops register_ops = {.event = check_arguments};

/*
 * Returns true if all files can be loaded, more than 1000 conditions are checked, and all of them
 * hold.
 */
static bool check_all_registers(char **paths, int n)
{
	static struct call call;
	struct register_check c = {.sink.ops = &register_ops};

	for (int i = 0; i < n; i++) {
		struct cases f;

		if (cases_load(&f, paths[i]))
			return false;
		for (size_t k = 0; k < f.n; k++) {
			c.call = f.v[k].call;
			/* The conditions do not apply to arguments that are shown as raw numbers.
			 */
			if (!call_parse(&call, f.v[k].call, CALL_ARENA) &&
			    !strstr(call.options, "raw"))
				show_to(&call, &c.sink);
			call_release(&call);
		}
		cases_release(&f);
	}
	printf("# %zu conditions\n", c.conditions);
	return !c.wrong && c.conditions > 1000;
}

static bool check(const struct call *call, const char *enter, const char *exit, const char *text)
{
	struct query_error error;
	struct evaluator v = {
		.sink.ops = &ops, .times = 1, .query = query_new(text, &error), .holds = true};
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
	if (v.exit == TRUTH_YES && !syscall_set_has(&calls, &abis[call->abi], v.set_nr)) {
		printf("# left out by the call's number\n");
		good = false;
	}
	if (!v.holds) {
		printf("# left out by the call's registers\n");
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

	if (argc > 2 && !strcmp(argv[1], "--registers"))
		good = check_all_registers(argv + 2, argc - 2);
	else if (argc == 4 && !strcmp(argv[1], "--time"))
		good = !measure(argv[2], argv[3]);
	else
		for (int i = 1; i < argc; i++)
			good &= check_file(argv[i]);
	show_end();
	return !good;
}
