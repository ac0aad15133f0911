/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/watch.h"

#include <stdlib.h>
#include <string.h>

#include "linux/syscall_desc.h"
#include "query/query.h"
#include "session/state.h"
#include "session/watch_report.h"
#include "sinks/text/text_call.h"
#include "sinks/text/text_request.h"
#include "unwind.h"
#include "util/msg.h"
#include "util/names.h"
#include "util/strbuf.h"

struct watches {
	struct matches *matches;	/* one for each assertion in the options */
	struct watch_report reports[2]; /* the reports that the options request */
};

bool watch_open(struct session *s)
{
	if (!s->o->assertions.n)
		return true;
	s->watch = mem_zalloc(sizeof(*s->watch));
	s->watch->matches = mem_zalloc(s->o->assertions.n * sizeof(*s->watch->matches));
	for (size_t i = 0; i < ARRAY_SIZE(s->watch->reports); i++)
		if (!watch_report_open(&s->watch->reports[i], s->o->reports[i]))
			return false;
	return true;
}

bool watch_wants(const struct session *s, const struct syscall_event *e)
{
	return unlikely(s->watch || s->wakes) && e->abi &&
	       syscall_set_has(&s->o->watched, e->abi, e->set_nr);
}

bool watch_wants_request(const struct session *s, unsigned row)
{
	return unlikely(s->watch) && syscall_set_has_request(&s->o->watched, row);
}

bool watch_was_decoded(const struct session *s, const struct syscall_event *e)
{
	/*
	 * The calls that a new child makes before its execve are not decoded, so nargs is 0
	 * although the call has arguments.
	 */
	return watch_wants(s, e) && (e->base.nargs || (e->desc && !e->desc->nargs));
}

static char *take_text(struct strbuf *b)
{
	char *text = mem_strdup(strbuf_str(b));

	strbuf_deinit(b);
	return text;
}

/* Stores the text of the first matching event, such as "[pid 12] openat(…) = 3". */
static void keep_first(struct session *s, struct matches *m, const struct query_subject *e)
{
	const struct text_style style = {.config = &s->o->text};
	struct stack *stack = e->base->stack;
	struct strbuf b = {0};
	const char *name;

	strbuf_printf(&b, "[pid %d] ", (int)e->base->tid);
	if (e->base->request) {
		text_request(&b, &style, event_syscall(e->base));
	} else if (e->call) {
		text_call(&b, &style, e->call);
	} else {
		name = signal_name(e->signal->sig);
		strbuf_printf(&b, "--- %s ---", name ? name : "unknown signal");
	}
	m->first = take_text(&b);
	if (!stack || !s->unwinder)
		return;
	stack_text(s->unwinder, stack, &b);
	m->stack = take_text(&b);
}

void watch_event(struct session *s, const struct event *e)
{
	const struct query_subject subject = query_subject_of(e, s->unwinder);

	for (size_t i = 0; i < s->o->assertions.n; i++) {
		const struct assertion *a = &s->o->assertions.v[i];
		struct matches *m = &s->watch->matches[i];

		if (query_eval(a->query, &subject) != TRUTH_YES)
			continue;
		if (!m->count++)
			keep_first(s, m, &subject);
		if (!a->stops || s->ended)
			continue;
		if (!(s->o->quiet & QUIET_ATTACH))
			msg("--stop-on: %s: detaching tracees", a->name);
		s->ended = true;
	}
}

bool watch_end(struct session *s)
{
	struct watches *w = s->watch;
	bool failed;

	if (!w)
		return false;
	failed = watch_report_print(s, w->matches);
	for (size_t i = 0; i < ARRAY_SIZE(w->reports); i++)
		if (!watch_report_write(&w->reports[i], s, w->matches))
			s->error = 1;
	for (size_t i = 0; i < s->o->assertions.n; i++) {
		free(w->matches[i].first);
		free(w->matches[i].stack);
	}
	free(w->matches);
	free(w);
	s->watch = NULL;
	return failed;
}
