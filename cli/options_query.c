/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles --where and the other options that have queries as arguments. */
#include "query/query.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "cli/options_value.h"
#include "query/calls.h"
#include "event/sched.h"
#include "query/group.h"
#include "util/msg.h"
#include "wake/actions.h"

void options_where(struct options *o, const char *text)
{
	struct query *q = query_parse(text, "--where");
	attr_cleanup(mem_free_ptr) char *both = NULL;

	if (o->filter.where) {
		/* Both expressions are valid, so the combined expression is valid, too. */
		both = mem_printf("(%s) && (%s)", query_text(o->filter.where), text);
		query_free(o->filter.where);
		query_free(q);
		q = query_parse(both, "--where");
	}
	o->filter.where = q;
}

/* Removes the syscalls and requests that --where can never match from -e trace=. */
static void push_down(struct options *o)
{
	struct syscall_set calls, *trace = &o->filter.trace;

	query_calls(o->filter.where, &calls);
	for (unsigned i = 0; i < ABI_COUNT; i++)
		for (unsigned j = 0; j < SYSCALL_SET_MAX / 64; j++)
			trace->bits[i][j] &= calls.bits[i][j];
	for (size_t i = 0; i < ARRAY_SIZE(trace->requests); i++)
		trace->requests[i] &= calls.requests[i];
	trace->beyond &= calls.beyond;
	if (o->debug)
		msg("--where: %u of %u syscall numbers of %s can match",
		    syscall_set_count(&calls, abi_native()->index), SYSCALL_SET_MAX,
		    abi_native()->name);
}

/*
 * Returns the length of a "NAME:" prefix, or 0 if there is none. Expressions contain colons only in
 * strings.
 */
static size_t name_length(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '-' ||
	       text[n] == ' ')
		n++;
	return n && text[n] == ':' ? n + 1 : 0;
}

void options_assert(struct options *o, const char *text, bool stops)
{
	const size_t n = name_length(text);
	struct assertion a = {.stops = stops};

	a.query = query_parse(text + n, stops ? "--stop-on" : "--fail-on");
	a.name = n ? mem_strndup(text, n - 1) : mem_strdup(text);
	*vec_push(&o->assertions) = a;
}

void options_critical_path(struct options *o, const struct seen *seen)
{
	if (o->diff)
		o->diff_hides = options_conflict(o, seen, WITH_ALL_CALLS);
	if (!o->critical_path)
		return;
	options_refuse(o, seen, WITH_CRITICAL_PATH | WITH_ALL_CALLS, "--critical-path");
	o->critical_json = !strcmp(o->format->name, "json");
	if (!o->critical_json && strcmp(o->format->name, "text") != 0)
		die_usage("%s and --critical-path are mutually exclusive", o->format->option);
	o->format = sink_format_next(NULL);
	o->text.muted = true;
}

bool options_events(struct options *o, const char *text)
{
	const char *end;

	do {
		attr_cleanup(mem_free_ptr) char *name = NULL;

		end = strchrnul(text, ',');
		name = mem_strndup(text, (size_t)(end - text));
		if (EXACT_CHOICE(name, SCHED_SOURCE, FAULT_SOURCE, "wakeup") < 0)
			return false;
		o->wakers |= !strcmp(name, "wakeup");
		*vec_push(&o->filter.sources) = mem_strdup(name);
		text = end + 1;
	} while (*end);
	return true;
}

bool options_show_sched(const struct options *o)
{
	return filter_source(&o->filter, SCHED_SOURCE) || filter_source(&o->filter, FAULT_SOURCE);
}

bool options_need_off_cpu(const struct options *o)
{
	return o->weight >= WEIGHT_BLOCKED || o->query_needs & QUERY_NEEDS_OFF_CPU;
}

void options_add_watched(const struct options *o, struct syscall_set *set)
{
	if (o->assertions.n || o->wakers)
		syscall_set_add(set, &o->watched);
}

static void check_watch(const struct options *o, const struct seen *seen)
{
	const char *option = "--stop-on";

	vec_for_each (&o->assertions, a)
		if (!a->stops)
			option = "--fail-on";
	if ((o->reports[0] || o->reports[1]) &&
	    (!o->assertions.n || strcmp(option, "--fail-on") != 0))
		die_usage("--report requires --fail-on");
	if (o->assertions.n)
		options_refuse(o, seen, WITH_ASSERTIONS, option);
}

/* Determines the syscalls and the event data that --fail-on, --stop-on and --wakers need. */
static void watch(struct options *o)
{
	syscall_set_fill(&o->watched, false);
	vec_for_each (&o->assertions, a) {
		struct syscall_set calls;

		query_calls(a->query, &calls);
		syscall_set_add(&o->watched, &calls);
		o->query_needs |= query_needs(a->query);
	}
	if (!o->wakers)
		return;
	syscall_set_parse(&o->watched, wake_calls);
	o->decode.query_details |= FD_PATH | FD_SOCKET | FD_EVENTFD;
	o->text.durations = true;
}

void options_group(struct options *o, const char *name, const char *value)
{
	attr_cleanup(mem_free_ptr) char *option = mem_printf("--%s", name);
	const bool keys = !strcmp(name, "group-by"), sum = !strcmp(name, "sum");
	struct group **group = keys ? &o->group : sum ? &o->sum : &o->hist;

	if (*group)
		die_usage("%s has been given more than once", option);
	*group = group_parse(value, option, keys ? GROUP_KEYS : GROUP_NUMBERS,
			     keys  ? SUMMARY_FIELDS_MAX
			     : sum ? SUMMARY_SUMS_MAX
				   : 1);
}

static void apply_group(struct options *o)
{
	const char *option = o->group ? "--group-by" : o->sum ? "--sum" : o->hist ? "--hist" : NULL;

	if (!option)
		return;
	if (!o->summarize)
		die_usage("%s requires -c/--summary-only or -C/--summary", option);
	if (o->group && o->summary.by != SUMMARY_BY_SYSCALL)
		die_usage("--summary-by and --group-by are mutually exclusive");
	if (o->hist && !strcmp(o->format->name, "csv"))
		die_usage("--hist and --format=csv are mutually exclusive");
	if (o->group)
		o->summary.by = SUMMARY_BY_FIELDS;
	o->summary.group = o->group;
	o->summary.sum = o->sum;
	o->summary.hist = o->hist;
	o->query_needs |= group_needs(o->group) | group_needs(o->sum) | group_needs(o->hist);
}

void options_group_columns(struct options *o, const struct seen *seen)
{
	struct summary_config *c = &o->summary;

	if (o->group && !seen->U && c->format == SUMMARY_TABLE) {
		c->columns[0] = SUMMARY_CALLS;
		c->columns[1] = SUMMARY_ERRORS;
		c->columns[2] = SUMMARY_TOTAL_TIME;
		c->columns[3] = SUMMARY_NAME;
		c->column_count = 4;
	}
	if (!seen->S && (o->sum || o->group))
		c->sort_by = o->sum ? SUMMARY_SUM : SUMMARY_CALLS;
	summary_config_add_sums(c, (unsigned)group_count(o->sum));
}

void options_query_apply(struct options *o, const struct seen *seen)
{
	check_watch(o, seen);
	watch(o);
	apply_group(o);
	if (o->filter.where)
		o->query_needs |= query_needs(o->filter.where);
	vec_for_each (&o->injections, i)
		if (i->condition) {
			o->conditions = true;
			o->query_needs |= query_needs(i->condition);
		}
	if (o->query_needs & QUERY_NEEDS_FD_PATHS)
		o->decode.query_details |= FD_PATH;
	if (o->query_needs & QUERY_NEEDS_FD_SOCKETS)
		o->decode.query_details |= FD_SOCKET;
	if (o->query_needs & QUERY_NEEDS_PATHS)
		o->decode.resolve_paths = true;
	if (o->query_needs & QUERY_NEEDS_VERBOSE && syscall_set_is_full(&seen->abbrev))
		die("an expression uses a member that is decoded only with -v/--no-abbrev: add -v");
	if (o->filter.where)
		push_down(o);
}
