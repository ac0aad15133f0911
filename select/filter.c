/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "select/filter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "query/bounds.h"
#include "query/query.h"
#include "query/shorthand.h"
#include "select/watched.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

static void replace(struct query **q, struct query *with)
{
	query_free(*q);
	*q = with;
}

void filter_init(struct filter *f)
{
	*f = (struct filter){.signals.inverted = true, .detached = true};
	syscall_set_fill(&f->trace, true);
}

void filter_deinit(struct filter *f)
{
	struct query **queries[] = {&f->fds,	  &f->paths, &f->status,
				    &f->duration, &f->stack, &f->where};

	number_set_deinit(&f->signals);
	vec_for_each (&f->sources, source)
		free(*source);
	vec_deinit(&f->sources);
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++)
		replace(queries[i], NULL);
}

/* The values of -e status=, with the queries that they stand for. */
static const struct {
	const char *name;
	const char *query; /* NULL if no call that has ended has this status */
} statuses[] = {
	{"successful", "error == 0"},
	{"failed", "error"},
	{"unfinished", "!(error == 0) && !error"},
	{"unavailable", NULL},
	{"detached", NULL},
};
#define DETACHED (ARRAY_SIZE(statuses) - 1)

static int lookup_status(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		if (!strcasecmp(statuses[i].name, name))
			return (int)i;
	}
	return -1;
}

void filter_set_status(struct filter *f, const char *text)
{
	struct number_set set = {0};
	attr_cleanup(strbuf_deinit) struct strbuf query = {0};
	unsigned bits;

	number_set_parse(&set, text, "status", lookup_status);
	bits = number_set_bits(&set, ARRAY_SIZE(statuses));
	number_set_deinit(&set);
	f->detached = bits & 1 << DETACHED;
	/* If no status is selected, no call matches. */
	strbuf_puts(&query, "error && !error");
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
		if (bits & 1 << i && statuses[i].query)
			strbuf_printf(&query, " || %s", statuses[i].query);
	replace(&f->status, bits == (1 << ARRAY_SIZE(statuses)) - 1
				    ? NULL
				    : query_parse(strbuf_str(&query), "-e status="));
}

void filter_set_duration(struct filter *f, uint64_t min_ns, uint64_t max_ns)
{
	attr_cleanup(mem_free_ptr) char *query = mem_printf(
		"duration >= %" PRIu64 "ns && duration <= %" PRIu64 "ns", min_ns, max_ns);

	replace(&f->duration, query_parse(query, "--duration"));
}

void filter_set_signals(struct filter *f, const char *text)
{
	number_set_parse(&f->signals, text, "signal", number_lookup_signal);
}

void filter_set_fds(struct filter *f, const char *text)
{
	struct number_set fds = {0};

	number_set_parse(&fds, text, "descriptor", number_lookup_fd);
	replace(&f->fds, shorthand_fds(&fds));
	number_set_deinit(&fds);
}

void filter_set_stack(struct filter *f, const char *text)
{
	attr_cleanup(mem_free_ptr) char *pattern = NULL;
	const char *regex = text;
	bool inverted = *regex == '!';
	size_t len;
	char why[QUERY_WHY];

	regex += inverted;
	len = strlen(regex);
	if (len < 3 || regex[0] != '/' || regex[len - 1] != '/')
		die("invalid stack '%s': must be /REGEX/ or !/REGEX/", text);
	pattern = mem_strndup(regex + 1, len - 2);
	replace(&f->stack, shorthand_stack(pattern, inverted, why));
	if (!f->stack)
		die("regcomp: %s: %s", pattern, why);
}

char *filter_add_path(struct filter *f, const char *path)
{
	char *resolved = realpath(path, NULL);

	shorthand_add_path(&f->paths, path);
	/*
	 * A path that cannot be resolved is not an error, because the file may be created during
	 * tracing.
	 */
	if (resolved && strcmp(resolved, path) != 0) {
		shorthand_add_path(&f->paths, resolved);
		return resolved;
	}
	free(resolved);
	return NULL;
}

void filter_add_path_pattern(struct filter *f, const char *pattern)
{
	char why[QUERY_WHY];

	if (!shorthand_add_pattern(&f->paths, pattern, why))
		die("invalid path '%s': %s", pattern, why);
}

/* Returns true if a query matches, or if the option of the query was not given. */
static bool passes(const struct query *q, const struct query_subject *subject)
{
	return !q || query_eval(q, subject) == TRUTH_YES;
}

bool filter_enter_args(const struct filter *f, struct memory *memory, struct facts *facts,
		       const struct syscall_event *e, bool *memory_seen)
{
	const struct watched_call watched = {memory, facts, e, memory_seen};
	const struct query_subject subject = {.base = &e->base, .call = e, .watched = &watched};

	return (f->fds && passes(f->fds, &subject)) || (f->paths && passes(f->paths, &subject));
}

bool filter_holds(const struct filter *f)
{
	return f->status || f->duration || f->stack;
}

bool filter_where(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e,
		  bool ended, bool *open)
{
	enum truth truth = query_eval_call(f->where, e, ended, unwinder);

	*open = truth == TRUTH_OPEN;
	return truth != TRUTH_NO;
}

bool filter_event(const struct filter *f, struct unwinder *unwinder, const struct event *e)
{
	const struct query_subject subject = query_subject_of(e, unwinder);

	return passes(f->where, &subject);
}

bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e)
{
	const struct query_subject subject = {
		.base = &e->base, .call = e, .ended = true, .unwinder = unwinder};

	/*
	 * As in strace 7.2, the status filter does not apply to calls whose registers could not be
	 * read.
	 */
	return (e->unknown || passes(f->status, &subject)) && passes(f->duration, &subject) &&
	       passes(f->stack, &subject);
}

void filter_bounds(const struct filter *f, struct query_bounds *b)
{
	const struct query *queries[] = {f->where, f->status, f->duration};

	*b = QUERY_BOUNDS_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++) {
		const struct query_bounds other =
			queries[i] ? query_bounds(queries[i]) : QUERY_BOUNDS_NONE;

		query_bounds_and(b, &other);
	}
}

bool filter_source(const struct filter *f, const char *source)
{
	for (size_t i = 0; i < f->sources.n; i++)
		if (!strcmp(f->sources.v[i], "all") || !strcmp(f->sources.v[i], source))
			return true;
	return false;
}

bool filter_signal(const struct filter *f, int sig)
{
	return number_set_has(&f->signals, sig);
}
