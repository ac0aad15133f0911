/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/diff.h"

#include "trace/play/trace.h"
#include "cli/options.h"
#include "session/session.h"
#include "sinks/diff/collect.h"
#include "sinks/diff/report.h"
#include "sinks/output.h"

/* Collects the events of a trace in *run. On failure, prints a message and returns false. */
static bool read_run(const struct options *options, struct trace *t, struct run *run)
{
	struct options o = *options;

	o.trace = t;
	o.traces.v = &t;
	o.traces.n = 1;
	o.trace_command = (pid_t)(meta_get_number(trace_meta(t), "started", 0) & INT32_MAX);
	o.run = run;
	options_trace_span(&o);
	o.format = &collect_format;
	return session_run(&o) == 0;
}

static struct run_label label_of(const char *file, struct trace *t)
{
	const struct trace_meta *m = trace_meta(t);

	return (struct run_label){.file = file,
				  .host = meta_get(m, "host"),
				  .kernel = meta_get(m, "kernel"),
				  .follows = meta_get_number(m, "follow", 1) != 0,
				  .began = trace_began(t)};
}

static int put(const struct options *o, const struct strbuf *text)
{
	struct output *out = output_open(o->text.path ? o->text.path : "-", o->text.append);

	if (!out)
		return 1;
	strbuf_add(output_buf(out), text->data, text->len);
	output_commit(out);
	return output_close(out) < 0;
}

int session_diff(const struct options *o)
{
	static void (*const forms[])(struct strbuf *,
				     const struct report *) = {[DIFF_TEXT] = report_text,
							       [DIFF_JSON] = report_json,
							       [DIFF_FOLDED] = report_folded};
	bool json = o->diff_form == DIFF_JSON;
	struct texts texts = {0};
	struct run a = {.texts = &texts,
			.json = json,
			.string_limit = o->diff_strings,
			.wants_critical = !o->diff_hides && o->diff_form != DIFF_FOLDED},
		   b = a;
	struct comparison c = {0};
	struct strbuf text = {0};
	int status = 1;

	if (read_run(o, o->trace, &a) && read_run(o, o->diff_trace, &b)) {
		struct report r = {.c = &c,
				   .a = label_of(o->read_traces.v[0], o->trace),
				   .b = label_of(o->diff, o->diff_trace),
				   .top = o->summary.top ? o->summary.top : 10,
				   .weight = o->weight,
				   .hides = o->diff_hides};

		compare(&c, &a, &b);
		forms[o->diff_form](&text, &r);
		status = put(o, &text) ? 1 : comparison_differs(&c) ? 2 : 0;
	}
	strbuf_deinit(&text);
	comparison_deinit(&c);
	run_deinit(&a);
	run_deinit(&b);
	texts_deinit(&texts);
	return status;
}
