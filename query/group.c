/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/group.h"

#include <string.h>

#include "event/paths.h"
#include "query/check.h"
#include "query/eval.h"
#include "query/fields.h"
#include "query/parser.h"
#include "query/query.h"
#include "util/mem.h"
#include "util/names.h"

struct group_field {
	struct field_ref ref;
	char *name;
	bool is_number;
};

struct group {
	struct query *query; /* owns the text of the option and the fields that the text names */
	struct group_field fields[GROUP_FIELDS_MAX];
	size_t n;
};

static bool check(struct group *g, const struct node *node, enum group_use use)
{
	struct query *q = g->query;
	struct group_field *f = &g->fields[g->n];
	const struct place place = node->field.place;
	struct field_traits traits;

	f->ref = node->field;
	if (!query_check_field(q, &f->ref, &traits))
		return false;
	f->name = mem_strndup(q->text + place.start, place.len);
	f->is_number = traits.is_number;
	g->n++;
	if (f->ref.kind == FIELD_CLASS && use == GROUP_KEYS)
		return query_fail(
			q, place,
			"'class' cannot be used, because a call can be in several classes");
	if (!f->is_number && use == GROUP_NUMBERS)
		return query_fail(q, place, "'%s' is not a number", f->name);
	return true;
}

struct group *group_parse(const char *text, const char *what, enum group_use use, size_t max)
{
	struct query_error error = {0};
	struct group *g = mem_zalloc(sizeof(*g));
	struct query *q = g->query = mem_zalloc(sizeof(*q));
	struct node *nodes = NULL;
	size_t n = 0;
	bool good;

	q->text = mem_strdup(text);
	q->error = &error;
	good = query_parse_fields(q, &nodes, &n);
	for (size_t i = 0; good && i < n; i++)
		good = i < max ? check(g, &nodes[i], use)
			       : query_fail(q, nodes[i].field.place,
					    "at most %zu fields are possible", max);
	if (!good)
		query_die(text, what, &error);
	q->error = NULL;
	return g;
}

void group_free(struct group *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++)
		free(g->fields[i].name);
	query_free(g->query);
	free(g);
}

size_t group_count(const struct group *g)
{
	return g ? g->n : 0;
}

const char *group_name(const struct group *g, size_t i)
{
	return g->fields[i].name;
}

bool group_is_number(const struct group *g, size_t i)
{
	return g->fields[i].is_number;
}

bool group_is_time(const struct group *g, size_t i)
{
	const enum field_kind kind = g->fields[i].ref.kind;

	return kind == FIELD_DURATION || kind == FIELD_TIME ||
	       (kind >= FIELD_BLOCKED && kind <= FIELD_CPU);
}

unsigned group_needs(const struct group *g)
{
	return g ? g->query->needs : 0;
}

static void set_text(struct group_value *v, const char *text, size_t len)
{
	v->kind = text ? GROUP_TEXT : GROUP_NOTHING;
	if (text)
		strbuf_add(&v->text, text, len);
}

static bool take_path(void *ctx, const char *path, size_t len)
{
	set_text(ctx, path, len);
	return true;
}

/* If the call failed, sets `v` to the name of the error, or to its number if it has no name. */
static void take_error(const struct event *e, struct group_value *v)
{
	const char *name;

	if (e->ret_kind != RET_ERROR && e->ret_kind != RET_RESTART)
		return;
	name = errno_name((int)e->ret);
	if (name)
		set_text(v, name, strlen(name));
	else
		strbuf_printf(&v->text, "%lld", (long long)e->ret);
	v->kind = GROUP_TEXT;
}

static void take_operand(const struct group_field *f, const struct query_subject *s,
			 struct group_value *v)
{
	struct operand o;

	eval_field(&f->ref, s, &o);
	if (o.found != FOUND)
		return;
	if (f->is_number && o.is_number) {
		v->kind = GROUP_NUMBER;
		v->negative = o.number < 0;
		v->number = (uint64_t)(v->negative ? -o.number : o.number);
	} else if (o.is_text) {
		set_text(v, o.text, o.len);
	} else if (o.value) {
		v->kind = GROUP_VALUE;
		v->value = o.value;
	}
}

void group_value(const struct group *g, size_t i, const struct event *e, struct group_value *v)
{
	const char *text;
	const struct group_field *f = &g->fields[i];
	const bool is_call = e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED || e->request;
	const struct query_subject s = {
		.base = e,
		.call = is_call ? event_syscall(e) : NULL,
		.ended = true,
	};

	v->kind = GROUP_NOTHING;
	v->text.len = 0;
	switch (f->ref.kind) {
	case FIELD_NAME:
		set_text(v, e->name, strlen(e->name));
		break;
	case FIELD_STACK:
		v->kind = GROUP_STACK;
		break;
	case FIELD_KIND:
		text = e->request ? e->source : s.call ? "syscall" : "other";
		set_text(v, text, strlen(text));
		break;
	case FIELD_PATH:
		if (s.call)
			event_paths(s.call, true, take_path, v);
		break;
	case FIELD_ERROR:
		take_error(e, v);
		break;
	case FIELD_RET:
		/* The result of a failed call is -1, which must not be included in sums. */
		if (e->ret_kind == RET_VALUE)
			take_operand(f, &s, v);
		break;
	default:
		take_operand(f, &s, v);
		break;
	}
}
