/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/query.h"

#include <string.h>

#include "query/check.h"
#include "query/eval.h"
#include "query/narrow.h"
#include "query/node.h"
#include "query/parser.h"
#include "util/msg.h"
#include "util/strbuf.h"
#include "util/utf8.h"

struct query *query_new(const char *text, struct query_error *error)
{
	struct query *q = mem_zalloc(sizeof(*q));

	*error = (struct query_error){0};
	q->text = mem_strdup(text);
	q->error = error;
	q->root = query_parse_expression(q);
	if (q->root && !error->message && query_check(q, q->root) && query_narrow(q)) {
		q->error = NULL;
		return q;
	}
	query_free(q);
	return NULL;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	vec_for_each (&q->regexes, regex) {
		regfree(*regex);
		free(*regex);
	}
	vec_deinit(&q->regexes);
	arena_reset(&q->arena);
	free(q->text);
	free(q);
}

/*
 * Appends n bytes of text, and replaces each unprintable byte with '?'. Returns the number of
 * columns.
 */
static size_t put_line(struct strbuf *b, const char *text, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; columns++) {
		unsigned len = utf8_printable(text + i, n - i);

		strbuf_add(b, len ? text + i : "?", len ? len : 1);
		i += len ? len : 1;
	}
	return columns;
}

/* Maximum number of bytes to show before and after the mistake. */
#define SHOWN_MAX 60

void query_die(const char *text, const char *what, const struct query_error *error)
{
	const size_t from = error->start > SHOWN_MAX ? error->start - SHOWN_MAX : 0;
	const size_t rest = strlen(text) - from;
	const size_t marked = size_max(size_min(error->len, 2 * SHOWN_MAX), 1);
	const size_t shown = size_min(rest, error->start - from + marked + SHOWN_MAX);
	struct strbuf b = {0}, mark = {0};
	size_t column;

	if (from)
		strbuf_puts(&b, "…");
	column = !!from + put_line(&b, text + from, error->start - from);
	put_line(&b, text + error->start, from + shown - error->start);
	if (shown < rest)
		strbuf_puts(&b, "…");
	strbuf_pad(&mark, ' ', column);
	strbuf_putc(&mark, '^');
	strbuf_pad(&mark, '~', marked - 1);
	msg("%s: %s", what, error->message);
	msg("    %s", strbuf_str(&b));
	if (error->meant)
		msg_set_hint(mem_printf("did you mean '%s'?", error->meant));
	die("    %s", strbuf_str(&mark));
}

struct query *query_parse(const char *text, const char *what)
{
	struct query_error error;
	struct query *q = query_new(text, &error);

	if (!q)
		query_die(text, what, &error);
	return q;
}

const char *query_text(const struct query *q)
{
	return q->text;
}

unsigned query_needs(const struct query *q)
{
	return q->needs;
}

enum truth query_eval(const struct query *q, const struct query_subject *subject)
{
	return eval_node(q->root, subject, NULL);
}

enum truth query_eval_call(const struct query *q, const struct syscall_event *call, bool ended,
			   struct unwinder *unwinder)
{
	const struct query_subject subject = {
		.base = &call->base, .call = call, .ended = ended, .unwinder = unwinder};

	return eval_node(q->root, &subject, NULL);
}
