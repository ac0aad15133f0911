/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the report as JSON Lines: one object per line, as described by
 * doc/tracer-diff.schema.json.
 */
#include "sinks/diff/report.h"

#include <string.h>

#include "sinks/diff/critical.h"
#include "sinks/diff/paths.h"
#include "sinks/diff/times.h"
#include "sinks/json/json_text.h"
#include "util/names.h"

struct json_report {
	struct strbuf *out;
	const struct report *r;
	const struct comparison *c;
	const struct texts *texts;
};

static const char *get(const struct json_report *j, uint32_t text)
{
	return texts_get(j->texts, text);
}

static void begin(struct json_report *j, const char *type)
{
	strbuf_printf(j->out, "{\"type\":\"%s\"", type);
}

static void end(struct json_report *j)
{
	strbuf_puts(j->out, "}\n");
}

static void key(struct json_report *j, const char *name)
{
	strbuf_printf(j->out, ",\"%s\":", name);
}

/* Writes a string, accompanied by its bytes if they are not valid UTF-8. NULL becomes null. */
static void member_bytes(struct json_report *j, const char *name, const char *text, size_t n)
{
	if (text) {
		strbuf_putc(j->out, ',');
		json_text_member(j->out, name, text, n);
		return;
	}
	key(j, name);
	strbuf_puts(j->out, "null");
}

static void member_text(struct json_report *j, const char *name, const char *text)
{
	member_bytes(j, name, text, text ? strlen(text) : 0);
}

static void member_foreign(struct json_report *j, const char *name, struct foreign text)
{
	strbuf_putc(j->out, ',');
	json_foreign_member(j->out, name, text);
}

static void member_number(struct json_report *j, const char *name, uint64_t n)
{
	key(j, name);
	json_uint(j->out, n);
}

static void member_error(struct json_report *j, int error)
{
	key(j, "error");
	if (error)
		json_name(j->out, errno_name(error), error);
	else
		strbuf_puts(j->out, "null");
}

/* Writes how a thread ended: {"exited":0}, {"killed":"SIGSEGV"}, or null. */
static void member_end(struct json_report *j, const struct run_track *t)
{
	const char *name;

	key(j, "end");
	switch (t->outcome) {
	case RUN_EXITED:
		strbuf_printf(j->out, "{\"exited\":%d}", t->code);
		break;
	case RUN_KILLED:
		name = signal_name(t->code);
		strbuf_printf(j->out, "{\"killed\":\"%s\"}", name ? name : "unknown");
		break;
	default:
		strbuf_puts(j->out, "null");
	}
}

static void put_run(struct json_report *j, const char *side, const struct run *r,
		    const struct run_label *label)
{
	begin(j, "diff-run");
	member_text(j, "side", side);
	member_text(j, "file", label->file);
	member_foreign(j, "host", label->host);
	member_foreign(j, "kernel", label->kernel);
	member_text(j, "command", r->tracks.n ? run_track_name(r, r->tracks.v[0]) : NULL);
	member_text(j, "directory", r->directory ? get(j, r->directory) : NULL);
	member_number(j, "calls", r->ncalls);
	member_number(j, "calls_not_compared", r->skipped + r->dropped);
	member_number(j, "lost", r->lost);
	end(j);
}

static void put_variables(struct json_report *j)
{
	struct variable_differences v = {0};

	variable_differences_find(&v, j->c->a, j->c->b);
	vec_for_each (&v.list, d) {
		const char *any = get(j, d->a ? d->a : d->b);
		size_t n = strcspn(any, "=");

		begin(j, "diff-variable");
		member_bytes(j, "name", any, n);
		for (int b = 0; b < 2; b++) {
			uint32_t text = b ? d->b : d->a;
			const char *s = text ? get(j, text) : NULL;

			member_text(j, b ? "b" : "a", s ? s + size_min(n + 1, strlen(s)) : NULL);
		}
		end(j);
	}
	vec_deinit(&v.list);
}

static void put_track(struct json_report *j, const char *side, const struct run *r, uint32_t index)
{
	const struct run_track *t = index == RUN_NONE ? NULL : r->tracks.v[index];

	key(j, side);
	if (!t) {
		strbuf_puts(j->out, "null");
		return;
	}
	strbuf_printf(j->out, "{\"tid\":%d", (int)t->tid);
	member_text(j, "command", run_track_name(r, t));
	member_end(j, t);
	member_number(j, "calls", t->ncalls);
	strbuf_putc(j->out, '}');
}

static void put_pairs(struct json_report *j)
{
	for (size_t i = 0; i < j->c->pairs.n; i++) {
		const struct track_pair *p = &j->c->pairs.v[i];
		const struct run *run;

		begin(j, "diff-thread");
		member_number(j, "id", i);
		key(j, "parent");
		if (p->parent == RUN_NONE)
			strbuf_puts(j->out, "null");
		else
			json_uint(j->out, p->parent);
		key(j, "thread");
		strbuf_puts(j->out, pair_track(j->c, p, &run)->thread ? "true" : "false");
		put_track(j, "a", j->c->a, p->a);
		put_track(j, "b", j->c->b, p->b);
		member_number(j, "both", p->both);
		member_number(j, "only_a", p->only_a);
		member_number(j, "only_b", p->only_b);
		member_number(j, "results", p->results);
		member_number(j, "data", p->data);
		member_number(j, "numbers", p->numbers);
		end(j);
	}
}

static void put_path_side(struct json_report *j, const char *side, const struct run_path *p)
{
	key(j, side);
	if (!p->text) {
		strbuf_puts(j->out, "null");
		return;
	}
	strbuf_printf(j->out, "{\"worked\":%u,\"failed\":%u", p->worked, p->failed);
	member_error(j, p->error);
	strbuf_putc(j->out, '}');
}

static void put_paths(struct json_report *j)
{
	struct path_differences paths = {0};

	path_differences_find(&paths, j->c->a, j->c->b);
	vec_for_each (&paths.list, d) {
		begin(j, "diff-path");
		member_text(j, "path", get(j, d->text));
		put_path_side(j, "a", &d->a);
		put_path_side(j, "b", &d->b);
		end(j);
	}
	vec_deinit(&paths.list);
}

static void put_call_side(struct json_report *j, const struct difference *d, bool in_b)
{
	const struct run_call *call = difference_call(j->c, d, in_b);
	const struct run *run = in_b ? j->c->b : j->c->a;
	uint64_t since;

	key(j, in_b ? "b" : "a");
	if (!call) {
		strbuf_puts(j->out, "null");
		return;
	}
	since = call->mono > run->first ? call->mono - run->first : 0;
	strbuf_printf(j->out, "{\"since\":%llu.%09llu,\"args\":%s%s",
		      (unsigned long long)(since / 1000000000),
		      (unsigned long long)(since % 1000000000),
		      call->text ? get(j, call->text) : "{}",
		      call->result ? get(j, call->result) : ",\"ret\":null,\"error\":null");
	strbuf_putc(j->out, '}');
}

static void put_calls(struct json_report *j)
{
	static const char *const kinds[] = {
		[DIFFERENCE_ONLY_A] = "only-a",	  [DIFFERENCE_ONLY_B] = "only-b",
		[DIFFERENCE_RESULT] = "result",	  [DIFFERENCE_DATA] = "data",
		[DIFFERENCE_NUMBERS] = "numbers",
	};

	vec_for_each (&j->c->differences, d) {
		const struct run_call *call =
			difference_call(j->c, d, d->kind == DIFFERENCE_ONLY_B);

		begin(j, "diff-call");
		member_text(j, "kind", kinds[d->kind]);
		member_number(j, "thread", d->pair);
		member_text(j, "name", get(j, call->name));
		put_call_side(j, d, false);
		put_call_side(j, d, true);
		end(j);
	}
}

static void put_time_side(struct json_report *j, const char *side, const uint64_t *w)
{
	key(j, side);
	strbuf_puts(j->out, "{\"calls\":");
	json_uint(j->out, w[WEIGHT_CALLS]);
	key(j, "time");
	strbuf_printf(j->out, "%llu.%09llu}", (unsigned long long)(w[WEIGHT_TIME] / 1000000000),
		      (unsigned long long)(w[WEIGHT_TIME] % 1000000000));
}

static void put_times(struct json_report *j)
{
	struct times times = {0};

	times_find(&times, j->c->a, j->c->b);
	times_sort(&times, WEIGHT_TIME);
	vec_for_each (&times.list, s) {
		begin(j, "diff-time");
		member_text(j, "stack", get(j, s->stack));
		put_time_side(j, "a", s->a);
		put_time_side(j, "b", s->b);
		end(j);
	}
	vec_deinit(&times.list);
}

static void put_ns(struct json_report *j, int64_t ns)
{
	strbuf_printf(j->out, "%lld.%09lld", (long long)(ns / 1000000000),
		      (long long)(ns % 1000000000));
}

/* Writes the index of a pair of threads, or null for RUN_NONE. */
static void member_pair(struct json_report *j, const char *name, uint32_t pair)
{
	key(j, name);
	if (pair == RUN_NONE)
		strbuf_puts(j->out, "null");
	else
		json_uint(j->out, pair);
}

static void put_critical_side(struct json_report *j, const char *side, const struct run *r)
{
	key(j, side);
	strbuf_puts(j->out, "{\"time\":");
	put_ns(j, r->critical.total);
	key(j, "unexplained");
	put_ns(j, r->critical.unexplained);
	member_number(j, "exact_wakers", r->critical.reported);
	member_number(j, "inferred_wakers", r->critical.inferred);
	strbuf_putc(j->out, '}');
}

/* Writes nothing if filters hide calls, because the critical paths are then unknown. */
static void put_critical(struct json_report *j)
{
	struct critical_changes changes = {0};

	if (j->r->hides)
		return;
	begin(j, "diff-critical-path");
	put_critical_side(j, "a", j->c->a);
	put_critical_side(j, "b", j->c->b);
	end(j);
	critical_compare(&changes, j->c);
	vec_for_each (&changes.list, change) {
		begin(j, "diff-critical-time");
		member_pair(j, "thread", change->pair);
		member_text(j, "activity", change->call ? change->call : "running");
		member_text(j, "cause", change->cause);
		member_pair(j, "waiter", change->waiter);
		member_text(j, "waiter_call", change->waiter_call);
		key(j, "inferred");
		strbuf_puts(j->out, change->inferred ? "true" : "false");
		key(j, "a");
		put_ns(j, change->a);
		key(j, "b");
		put_ns(j, change->b);
		end(j);
	}
	vec_deinit(&changes.list);
}

void report_json(struct strbuf *out, const struct report *r)
{
	struct json_report j = {.out = out, .r = r, .c = r->c, .texts = r->c->a->texts};

	put_run(&j, "a", r->c->a, &r->a);
	put_run(&j, "b", r->c->b, &r->b);
	put_variables(&j);
	put_pairs(&j);
	put_paths(&j);
	put_calls(&j);
	put_critical(&j);
	put_times(&j);
}
