/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "query/node.h"
#include "util/glob.h"

static bool fail(struct query *q, struct place place, const char *meant, const char *fmt,
		 va_list args)
{
	struct query_error *e = q->error;

	if (e->message)
		return false;
	if (vasprintf(&e->message, fmt, args) < 0)
		e->message = mem_strdup("invalid expression");
	e->meant = meant ? mem_strdup(meant) : NULL;
	e->start = place.start;
	e->len = place.len;
	return false;
}

bool query_fail(struct query *q, struct place place, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(q, place, NULL, fmt, args);
	va_end(args);
	return false;
}

bool query_fail_meant(struct query *q, struct place place, const char *meant, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(q, place, meant, fmt, args);
	va_end(args);
	return false;
}

bool query_compile(struct query *q, struct literal *l, bool glob, char why[QUERY_WHY])
{
	regex_t *regex = mem_zalloc(sizeof(*regex));
	int rc = glob ? glob_compile(regex, l->text)
		      : regcomp(regex, l->text, REG_EXTENDED | REG_NOSUB);
	struct glob *fast;

	if (rc) {
		regerror(rc, regex, why, QUERY_WHY);
		free(regex);
		return false;
	}
	*vec_push(&q->regexes) = regex;
	l->regex = regex;
	if (!glob)
		return true;
	fast = arena_alloc(&q->arena, sizeof(*fast));
	l->glob = glob_build(fast, l->text) ? fast : NULL;
	return true;
}
