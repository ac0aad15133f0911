/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The section of the text report about the critical paths. */
#include "sinks/diff/report.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/diff/critical.h"
#include "util/escape.h"
#include "util/mem.h"

/* Command lines are truncated to this number of columns. */
#define NAME_COLUMNS 60

struct critical_report {
	struct strbuf *out;
	const struct comparison *c;
};

/*
 * Appends a command line without the folder of the program. If the command line is long, also omits
 * its options, so that files such as the source file of a compiler are shown.
 */
static void put_command(struct strbuf *b, const char *command)
{
	const char *rest = command_without_folder(command);
	struct strbuf text = {0};

	if (strlen(rest) <= NAME_COLUMNS) {
		escape_start(b, rest, NAME_COLUMNS);
		return;
	}
	while (*rest) {
		const size_t n = strcspn(rest, " ");

		if (!text.len) {
			strbuf_add(&text, rest, n);
			strbuf_puts(&text, " ...");
		} else if (*rest != '-') {
			strbuf_putc(&text, ' ');
			strbuf_add(&text, rest, n);
		}
		rest += n + strspn(rest + n, " ");
	}
	escape_start(b, strbuf_str(&text), NAME_COLUMNS);
	strbuf_deinit(&text);
}

static void put_pair_command(struct critical_report *t, uint32_t pair)
{
	const struct run_track *track;
	const struct run *run;

	if (pair == RUN_NONE) {
		strbuf_puts(t->out, "unknown thread");
		return;
	}
	track = pair_track(t->c, &t->c->pairs.v[pair], &run);
	put_command(t->out, run_track_name(run, track));
}

/* Writes the name of the program that a thread executes. */
static void put_pair_program(struct critical_report *t, uint32_t pair)
{
	const struct run_track *track;
	const struct run *run;
	char *program;

	track = pair_track(t->c, &t->c->pairs.v[pair], &run);
	program = mem_strdup(command_without_folder(run_track_name(run, track)));
	program[strcspn(program, " ")] = '\0';
	escape_start(t->out, program, NAME_COLUMNS);
	free(program);
}

static void put_change(struct critical_report *t, const struct critical_change *change)
{
	strbuf_printf(t->out, "  %+.3f s  (%.3f -> %.3f s)  ",
		      (double)(change->b - change->a) / 1e9, (double)change->a / 1e9,
		      (double)change->b / 1e9);
	put_pair_command(t, change->pair);
	strbuf_printf(t->out, ": %s", change->call ? change->call : "running");
	if (change->cause)
		strbuf_printf(t->out, " (%s)", change->cause);
	if (change->waiter != RUN_NONE) {
		strbuf_puts(t->out, "; ");
		put_pair_program(t, change->waiter);
		strbuf_printf(t->out, " waited for it in %s%s", change->waiter_call,
			      change->inferred ? " (inferred)" : "");
	}
	strbuf_putc(t->out, '\n');
}

/*
 * Writes a line if the trace of a run does not show which threads ended its waits. Writes nothing
 * if the run was recorded with -f and timers explain almost all of its waits.
 */
static void put_missing_wakers(struct strbuf *b, char letter, const struct run *r,
			       const struct run_label *label)
{
	const struct critical *c = &r->critical;

	if (c->reported || c->inferred || (label->follows && c->unexplained < TIME_CHANGE_MIN))
		return;
	strbuf_printf(b, "  The trace of %c does not show which threads ended its waits%s\n",
		      letter, label->follows ? "" : ": it was recorded without -f");
}

/* Writes how much longer each activity on the critical path took. */
static void put_changes(struct critical_report *t, const struct critical_changes *changes,
			unsigned top)
{
	size_t shown = 0, all = 0;

	vec_for_each (&changes->list, change) {
		if (llabs(change->b - change->a) < TIME_CHANGE_MIN)
			continue;
		all++;
		if (top && shown == top)
			continue;
		put_change(t, change);
		shown++;
	}
	if (all > shown)
		strbuf_printf(t->out, "  ... and %zu more\n", all - shown);
}

void report_critical_text(struct strbuf *out, const struct report *r)
{
	struct critical_report t = {.out = out, .c = r->c};
	struct critical_changes changes = {0};
	int64_t longer;

	if (r->hides) {
		strbuf_printf(out, "\nThe critical paths are unknown, because %s hides calls.\n",
			      r->hides);
		return;
	}
	critical_compare(&changes, r->c);
	longer = changes.b - changes.a;
	if (llabs(longer) >= TIME_CHANGE_MIN) {
		strbuf_printf(out, "\nCritical path\n  B took %.3f s %s (%.3f -> %.3f s)\n",
			      (double)llabs(longer) / 1e9, longer > 0 ? "longer" : "less",
			      (double)changes.a / 1e9, (double)changes.b / 1e9);
		put_missing_wakers(out, 'A', r->c->a, &r->a);
		put_missing_wakers(out, 'B', r->c->b, &r->b);
		put_changes(&t, &changes, r->top);
	}
	vec_deinit(&changes.list);
}
