/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/browser_state.h"

#include <stdio.h>

#include "sinks/rows/rows.h"

void browser_say(struct browser *b, const char *text)
{
	snprintf(b->message, sizeof(b->message), "%s", text);
	b->changed = true;
}

void browser_say_failure(struct browser *b, struct job *j)
{
	attr_cleanup(strbuf_deinit) struct strbuf text = {0};

	job_message(j, &text);
	if (j->status && text.len)
		browser_say(b, strbuf_str(&text));
}

void browser_run(struct browser *b, struct job *j, const char *format, struct part *part,
		 const char *query, int input)
{
	attr_cleanup(strbuf_deinit) struct strbuf where = {0};
	char **argv;

	model_where(&b->model, &where);
	if (query)
		strbuf_printf(&where, "%s(%s)", where.len ? " && " : "", query);
	part->where = strbuf_str(&where);
	argv = command_make(&b->command, format, part);
	job_start(j, argv, input);
	command_free(argv);
}

bool browser_take_row(struct browser *b, struct row *r, const char *line, size_t n)
{
	if (line[0] == ' ' || !row_parse(r, line, n))
		return false;
	/*
	 * A query does not filter the lines about processes, so drop them here if there is a
	 * filter.
	 */
	if (r->kind == ROWS_PROCESS && b->model.clauses.n) {
		row_deinit(r);
		return false;
	}
	if (r->end > b->newest)
		b->newest = r->end;
	return true;
}
