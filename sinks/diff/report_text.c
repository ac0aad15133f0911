/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sinks/diff/paths.h"
#include "sinks/diff/times.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/names.h"

/* Calls are truncated to this number of columns. */
#define COLUMNS 160
/* Maximum number of calls of one run that are listed at the same position. */
#define HUNK_LINES 6

struct text_report {
	struct strbuf *out;
	const struct report *r;
	const struct comparison *c;
	const struct texts *texts;
	struct path_differences paths;
	struct table reported; /* paths that were already reported, as indexes in run.texts */
};

static const char *get(const struct text_report *t, uint32_t text)
{
	return texts_get(t->texts, text);
}

/* Returns true if entry n of a section is within the limit on entries. n starts from 0. */
static bool fits(const struct text_report *t, size_t n)
{
	return !t->r->top || n < t->r->top;
}

static void more(struct text_report *t, size_t n)
{
	if (n)
		strbuf_printf(t->out, "  ... and %zu more\n", n);
}

static void heading(struct text_report *t, const char *text)
{
	strbuf_printf(t->out, "\n%s\n", text);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* -- the two runs -------------------------------------------------------------------- */

static void put_outcome(struct strbuf *b, const struct run_track *t)
{
	const char *name;

	switch (t->outcome) {
	case RUN_EXITED:
		strbuf_printf(b, "exited with %d", t->code);
		break;
	case RUN_KILLED:
		name = signal_name(t->code);
		strbuf_printf(b, "killed by %s", name ? name : "a signal");
		break;
	case RUN_SUPERSEDED:
		strbuf_puts(b, "superseded by execve");
		break;
	default:
		strbuf_puts(b, "its end is not in the trace");
	}
}

static size_t count_processes(const struct run *r, size_t *threads)
{
	size_t n = 0;

	*threads = 0;
	vec_for_each (&r->tracks, track) {
		if ((*track)->thread)
			++*threads;
		else if ((*track)->calls.n || (*track)->command)
			n++;
	}
	return n;
}

static void put_began(struct strbuf *b, int64_t ns)
{
	time_t seconds = ns / NSEC_PER_SEC;
	char text[64];
	struct tm tm;

	if (ns && localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		strbuf_printf(b, "%s, ", text);
}

static void put_run(struct text_report *t, char letter, const struct run *r,
		    const struct run_label *label)
{
	size_t threads, processes = count_processes(r, &threads);
	struct strbuf *b = t->out;

	strbuf_printf(b, "%c  ", letter);
	if (r->tracks.n)
		escape_start(b, run_track_name(r, r->tracks.v[0]), 100);
	strbuf_puts(b, "\n   ");
	put_began(b, label->began);
	strbuf_printf(b, "%.3f s, %zu call%s, %zu process%s", (double)(r->last - r->first) / 1e9,
		      r->ncalls, plural(r->ncalls), processes, processes == 1 ? "" : "es");
	if (threads)
		strbuf_printf(b, ", %zu more thread%s", threads, plural(threads));
	if (r->tracks.n) {
		strbuf_puts(b, "; ");
		put_outcome(b, r->tracks.v[0]);
	}
	strbuf_puts(b, "\n");
	if (r->dropped)
		strbuf_printf(b, "   only its first %zu calls are compared\n", r->stored);
	if (r->lost)
		strbuf_printf(b, "   %zu events are missing from the trace\n", r->lost);
}

static void put_side_values(struct text_report *t, const char *what, const char *a, const char *b)
{
	strbuf_printf(t->out, "  %s\n    A  ", what);
	escape_start(t->out, *a ? a : "(empty)", COLUMNS);
	strbuf_puts(t->out, "\n    B  ");
	escape_start(t->out, *b ? b : "(empty)", COLUMNS);
	strbuf_putc(t->out, '\n');
}

static bool other(struct foreign a, struct foreign b)
{
	return foreign_given(a) && foreign_given(b) && !foreign_equal(a, b);
}

static void put_side_foreign(struct text_report *t, const char *what, struct foreign a,
			     struct foreign b)
{
	struct strbuf text_a = {0}, text_b = {0};

	escape_foreign(&text_a, a);
	escape_foreign(&text_b, b);
	put_side_values(t, what, strbuf_str(&text_a), strbuf_str(&text_b));
	strbuf_deinit(&text_a);
	strbuf_deinit(&text_b);
}

/*
 * Writes differences in the environment of the program: variables, machine, kernel and directory.
 */
static void put_surroundings(struct text_report *t)
{
	const struct run *a = t->c->a, *b = t->c->b;
	const struct run_label *la = &t->r->a, *lb = &t->r->b;
	struct variable_differences v = {0};
	size_t n = 0;

	variable_differences_find(&v, a, b);
	if (v.list.n)
		heading(t, "Environment");
	for (; n < v.list.n && fits(t, n); n++) {
		const struct variable_difference *d = &v.list.v[n];
		const char *va = d->a ? get(t, d->a) : NULL, *vb = d->b ? get(t, d->b) : NULL;
		size_t name = strcspn(va ? va : vb, "=");

		if (va && vb) {
			char *text = mem_strndup(va, name);

			put_side_values(t, text, va + size_min(name + 1, strlen(va)),
					vb + size_min(name + 1, strlen(vb)));
			free(text);
			continue;
		}
		strbuf_printf(t->out, "  only in %c: ", va ? 'A' : 'B');
		escape_start(t->out, va ? va : vb, COLUMNS);
		strbuf_putc(t->out, '\n');
	}
	more(t, v.list.n - n);
	vec_deinit(&v.list);
	if (!other(la->host, lb->host) && !other(la->kernel, lb->kernel) &&
	    (!a->directory || !b->directory || a->directory == b->directory))
		return;
	heading(t, "Where A and B ran");
	if (other(la->host, lb->host))
		put_side_foreign(t, "machine", la->host, lb->host);
	if (other(la->kernel, lb->kernel))
		put_side_foreign(t, "kernel", la->kernel, lb->kernel);
	if (a->directory && b->directory && a->directory != b->directory)
		put_side_values(t, "directory", get(t, a->directory), get(t, b->directory));
}

/* -- processes ------------------------------------------------------------------------ */

static void put_track_name(struct text_report *t, const struct track_pair *p)
{
	const struct run *run;
	const struct run_track *track = pair_track(t->c, p, &run);

	escape_start(t->out, command_without_folder(run_track_name(run, track)), 80);
}

static void put_ends(struct text_report *t)
{
	size_t n = 0, all = 0;

	vec_for_each (&t->c->pairs, p) {
		if (!p->ends_differ)
			continue;
		if (!all++)
			heading(t, "Processes that ended differently");
		if (!fits(t, all - 1))
			continue;
		n++;
		strbuf_puts(t->out, "  ");
		put_track_name(t, p);
		strbuf_puts(t->out, "\n    A  ");
		put_outcome(t->out, t->c->a->tracks.v[p->a]);
		strbuf_puts(t->out, "\n    B  ");
		put_outcome(t->out, t->c->b->tracks.v[p->b]);
		strbuf_putc(t->out, '\n');
	}
	more(t, all - n);
}

static void put_lone(struct text_report *t)
{
	size_t n = 0, all = 0;

	vec_for_each (&t->c->pairs, p) {
		const struct run *run;
		const struct run_track *track;

		if (p->a != RUN_NONE && p->b != RUN_NONE)
			continue;
		track = pair_track(t->c, p, &run);
		if (!all++)
			heading(t, "Processes and threads in only one run");
		if (!fits(t, all - 1))
			continue;
		n++;
		strbuf_printf(t->out, "  %c  %s", p->a != RUN_NONE ? 'A' : 'B',
			      track->thread ? "thread " : "");
		escape_start(t->out, command_without_folder(run_track_name(run, track)),
			     COLUMNS - 60);
		strbuf_printf(t->out, "  (%zu call%s; ", track->ncalls, plural(track->ncalls));
		put_outcome(t->out, track);
		strbuf_puts(t->out, ")\n");
	}
	more(t, all - n);
}

/* -- standard error --------------------------------------------------------------------- */

/* Calls `fn` for each non-empty line that a run wrote to standard error. */
static void each_line(const struct run *r,
		      void (*fn)(void *ctx, const struct run *r, const char *line, size_t n),
		      void *ctx)
{
	vec_for_each (&r->tracks, track) {
		const char *at = (*track)->stderr_text.data;
		const char *end = at ? at + (*track)->stderr_text.len : NULL;

		while (at < end) {
			const char *stop = memchr(at, '\n', (size_t)(end - at));
			size_t n = (size_t)((stop ? stop : end) - at);

			if (n)
				fn(ctx, r, at, n);
			at += n + 1;
		}
	}
}

struct stderr_diff {
	struct text_report *t;
	struct table lines; /* lines of the other run that have no match yet; the values are
			       numbers of occurrences */
	char letter;
	bool begun; /* true if the heading was already written */
	size_t shown, all;
};

static void stderr_count(void *ctx, const struct run *r, const char *line, size_t n)
{
	struct stderr_diff *s = ctx;
	uint64_t hash = loose_hash(&r->fresh, line, n);
	struct table_slot *slot = table_find(&s->lines, hash, NULL);

	if (slot)
		slot->value++;
	else
		table_add(&s->lines, hash, 1);
}

static void stderr_show(void *ctx, const struct run *r, const char *line, size_t n)
{
	struct stderr_diff *s = ctx;
	struct table_slot *slot = table_find(&s->lines, loose_hash(&r->fresh, line, n), NULL);
	char *copy;

	if (slot) {
		if (!--slot->value)
			table_remove(&s->lines, slot);
		return;
	}
	if (!s->all++ && !s->begun)
		heading(s->t, "Written to standard error");
	if (!fits(s->t, s->all - 1))
		return;
	s->shown++;
	copy = mem_strndup(line, n);
	strbuf_printf(s->t->out, "  %c  ", s->letter);
	escape_start(s->t->out, copy, COLUMNS);
	strbuf_putc(s->t->out, '\n');
	free(copy);
}

static size_t put_stderr_lines_by(struct text_report *t, const struct run *r,
				  const struct run *other, char letter, bool begun)
{
	struct stderr_diff s = {.t = t, .letter = letter, .begun = begun};

	each_line(other, stderr_count, &s);
	each_line(r, stderr_show, &s);
	more(t, s.all - s.shown);
	table_deinit(&s.lines);
	return s.all;
}

static void put_stderr_lines(struct text_report *t)
{
	bool begun = put_stderr_lines_by(t, t->c->a, t->c->b, 'A', false) > 0;

	put_stderr_lines_by(t, t->c->b, t->c->a, 'B', begun);
}

/* -- paths ------------------------------------------------------------------------------- */

static void put_error(struct text_report *t, int error)
{
	const char *name = errno_name(error);

	strbuf_printf(t->out, "%s (%s)", name ? name : "error", strerror(error));
}

static void note_path_reported(struct text_report *t, uint32_t text)
{
	if (!table_find(&t->reported, table_hash_number(text), NULL))
		table_add(&t->reported, table_hash_number(text), 1);
}

static bool is_path_reported(const struct text_report *t, uint32_t text)
{
	return text && table_find(&t->reported, table_hash_number(text), NULL);
}

static void put_path_side(struct text_report *t, char letter, const struct run_path *p)
{
	strbuf_printf(t->out, "    %c  %s: ", letter, get(t, p->worked ? p->name : p->failed_name));
	if (p->worked)
		strbuf_puts(t->out, "success");
	else
		put_error(t, p->error);
	strbuf_putc(t->out, '\n');
}

/*
 * Writes the paths that both runs used, but that failed in only one run or failed with different
 * errors.
 */
static void put_failing_paths(struct text_report *t)
{
	size_t n = 0, all = 0;

	vec_for_each (&t->paths.list, d) {
		if (d->kind > PATH_FAILS_OTHERWISE)
			continue;
		if (!all++)
			heading(t, "Paths with different results");
		note_path_reported(t, d->text);
		if (!fits(t, all - 1))
			continue;
		n++;
		strbuf_puts(t->out, "  ");
		escape_start(t->out, get(t, d->text), COLUMNS);
		strbuf_putc(t->out, '\n');
		put_path_side(t, 'A', &d->a);
		put_path_side(t, 'B', &d->b);
	}
	more(t, all - n);
}

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/*
 * Returns the number of successive paths with the same kind, directory and error, starting at index
 * i.
 */
static size_t in_one_directory(const struct text_report *t, size_t i)
{
	const struct path_difference *first = &t->paths.list.v[i];
	const char *path = get(t, first->text);
	size_t dir = directory_length(path), n = 1;

	for (; i + n < t->paths.list.n; n++) {
		const struct path_difference *d = &t->paths.list.v[i + n];
		const char *next = get(t, d->text);

		if (d->kind != first->kind || directory_length(next) != dir ||
		    memcmp(next, path, dir) != 0 || d->a.error != first->a.error ||
		    d->b.error != first->b.error)
			break;
	}
	return n;
}

/* Writes the paths that only one run used. Paths in the same directory share a line. */
static void put_lone_paths(struct text_report *t, enum path_difference_kind kind, const char *title)
{
	size_t lines = 0, left = 0;
	bool begun = false;

	for (size_t i = 0, n; i < t->paths.list.n; i += n) {
		const struct path_difference *d = &t->paths.list.v[i];
		const char *path = get(t, d->text);
		size_t dir = directory_length(path), start;

		n = 1;
		if (d->kind != kind)
			continue;
		n = in_one_directory(t, i);
		if (!begun)
			heading(t, title);
		begun = true;
		/*
		 * Paths that did not exist are less interesting, so they get only half of the
		 * lines.
		 */
		if (!fits(t, kind >= PATH_SOUGHT_IN_A ? 2 * lines : lines)) {
			left += n;
			continue;
		}
		lines++;
		strbuf_puts(t->out, "  ");
		start = t->out->len;
		escape_start(t->out, path, COLUMNS);
		for (size_t k = 1; k < n; k++) {
			if (t->out->len - start > COLUMNS - 40) {
				strbuf_printf(t->out, " ... and %zu more in this directory", n - k);
				break;
			}
			strbuf_puts(t->out, ", ");
			escape_start(t->out, get(t, t->paths.list.v[i + k].text) + dir, 60);
		}
		if (kind >= PATH_SOUGHT_IN_A) {
			const struct run_path *p = d->a.text ? &d->a : &d->b;
			const char *name = errno_name(p->error);

			strbuf_printf(t->out, ": %s", name ? name : "error");
		}
		strbuf_putc(t->out, '\n');
	}
	more(t, left);
}

static void put_paths(struct text_report *t)
{
	put_failing_paths(t);
	put_lone_paths(t, PATH_USED_IN_A, "Paths only A used");
	put_lone_paths(t, PATH_USED_IN_B, "Paths only B used");
	put_lone_paths(t, PATH_SOUGHT_IN_A, "Paths only A looked for and did not find");
	put_lone_paths(t, PATH_SOUGHT_IN_B, "Paths only B looked for and did not find");
}

/* -- calls -------------------------------------------------------------------------------- */

static void put_call(struct text_report *t, const struct run_call *call, bool result)
{
	escape_start(t->out, get(t, call->text), COLUMNS);
	if (result && call->result) {
		strbuf_putc(t->out, ' ');
		escape_start(t->out, get(t, call->result), COLUMNS);
	}
}

/*
 * Writes the calls that occur in both runs and have this kind of difference. If several calls have
 * the same arguments and results, only the first one is written.
 */
static void put_both(struct text_report *t, enum difference_kind kind, const char *title)
{
	struct table seen = {0};
	size_t n = 0, all = 0;

	vec_for_each (&t->c->differences, d) {
		const struct run_call *a, *b;
		uint64_t hash;

		if (d->kind != kind)
			continue;
		a = difference_call(t->c, d, false);
		b = difference_call(t->c, d, true);
		if (a->quiet || (kind == DIFFERENCE_RESULT && is_path_reported(t, a->path)))
			continue;
		hash = key_mix(key_mix(a->key, a->result), b->result);
		if (table_find(&seen, hash, NULL))
			continue;
		table_add(&seen, hash, 1);
		if (!all++)
			heading(t, title);
		if (!fits(t, all - 1))
			continue;
		n++;
		strbuf_puts(t->out, "  ");
		put_track_name(t, &t->c->pairs.v[d->pair]);
		strbuf_puts(t->out, "\n    A  ");
		put_call(t, a, true);
		strbuf_puts(t->out, "\n    B  ");
		put_call(t, b, true);
		strbuf_putc(t->out, '\n');
	}
	more(t, all - n);
	table_deinit(&seen);
}

/*
 * Returns the number of successive differences at the same position in the order of calls, starting
 * at index i.
 */
static size_t hunk(const struct comparison *c, size_t i)
{
	const struct difference *first = &c->differences.v[i];
	size_t n = 0, a = first->a, b = first->b;

	for (; i + n < c->differences.n; n++) {
		const struct difference *d = &c->differences.v[i + n];

		if (d->pair != first->pair || d->a != a || d->b != b || d->kind > DIFFERENCE_ONLY_B)
			break;
		a += d->kind == DIFFERENCE_ONLY_A;
		b += d->kind == DIFFERENCE_ONLY_B;
	}
	return n;
}

static int compare_names(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Writes the names of the calls that were not listed individually, each with its number of calls,
 * the most frequent one first. After five names, the remaining calls are only counted. Sorts
 * `names`.
 */
static void put_names(struct text_report *t, uint32_t *names, size_t n)
{
	struct {
		uint32_t name;
		size_t count;
	} top[5] = {0};
	size_t told = 0;

	qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0, same; i < n; i += same) {
		size_t k = ARRAY_SIZE(top);

		for (same = 1; i + same < n && names[i + same] == names[i];)
			same++;
		for (; k && top[k - 1].count < same; k--)
			if (k < ARRAY_SIZE(top))
				top[k] = top[k - 1];
		if (k < ARRAY_SIZE(top)) {
			top[k].name = names[i];
			top[k].count = same;
		}
	}
	for (size_t k = 0; k < ARRAY_SIZE(top) && top[k].count; k++) {
		strbuf_printf(t->out, "%s%s %zu", k ? ", " : "", get(t, top[k].name), top[k].count);
		told += top[k].count;
	}
	if (told < n)
		strbuf_printf(t->out, ", others %zu", n - told);
}

/* Writes the calls of one run at one position. Insignificant calls are only counted. */
static void put_side(struct text_report *t, size_t i, size_t n, bool in_b)
{
	VEC(uint32_t) names = {0};
	size_t lines = 0;

	for (size_t k = i; k < i + n; k++) {
		const struct difference *d = &t->c->differences.v[k];
		const struct run_call *call;

		if (d->kind != (in_b ? DIFFERENCE_ONLY_B : DIFFERENCE_ONLY_A))
			continue;
		call = difference_call(t->c, d, in_b);
		if (call->quiet || lines == HUNK_LINES) {
			*vec_push(&names) = call->name;
			continue;
		}
		lines++;
		strbuf_printf(t->out, "    %c  ", in_b ? 'B' : 'A');
		put_call(t, call, true);
		strbuf_putc(t->out, '\n');
	}
	if (names.n) {
		strbuf_printf(t->out, "    %c  ... %zu%s: ", in_b ? 'B' : 'A', names.n,
			      lines ? " more" : " calls");
		put_names(t, names.v, names.n);
		strbuf_putc(t->out, '\n');
	}
	vec_deinit(&names);
}

static void put_hunk(struct text_report *t, size_t i, size_t n)
{
	const struct difference *d = &t->c->differences.v[i];
	const struct track_pair *p = &t->c->pairs.v[d->pair];
	const struct run *run;
	const struct run_track *track = pair_track(t->c, p, &run);
	uint32_t at = run == t->c->a ? d->a : d->b;

	strbuf_puts(t->out, "  ");
	put_track_name(t, p);
	if (at) {
		strbuf_puts(t->out, ", after ");
		escape_start(t->out, get(t, track->calls.v[at - 1].text), 80);
	}
	strbuf_puts(t->out, "\n");
	put_side(t, i, n, false);
	put_side(t, i, n, true);
}

/*
 * Returns true if the n differences that start at index i contain a significant call, and if the
 * process of these differences exists in both runs.
 */
static bool is_news(const struct text_report *t, size_t i, size_t n)
{
	const struct track_pair *p = &t->c->pairs.v[t->c->differences.v[i].pair];

	if (p->a == RUN_NONE || p->b == RUN_NONE)
		return false;
	for (size_t k = i; k < i + n; k++) {
		const struct difference *d = &t->c->differences.v[k];

		if (!difference_call(t->c, d, d->kind == DIFFERENCE_ONLY_B)->quiet)
			return true;
	}
	return false;
}

static void put_only(struct text_report *t)
{
	size_t shown = 0, all = 0, n;

	for (size_t i = 0; i < t->c->differences.n; i += n) {
		n = 1;
		if (t->c->differences.v[i].kind > DIFFERENCE_ONLY_B)
			continue;
		n = hunk(t->c, i);
		if (!is_news(t, i, n))
			continue;
		if (!all++)
			heading(t, "Calls made in only one run, in order");
		if (!fits(t, all - 1))
			continue;
		shown++;
		put_hunk(t, i, n);
	}
	if (all > shown)
		strbuf_printf(t->out, "  ... and %zu more groups of calls\n", all - shown);
}

static void put_counts(struct text_report *t)
{
	size_t only_a = 0, only_b = 0, results = 0, numbers = 0;

	vec_for_each (&t->c->pairs, p) {
		only_a += p->only_a;
		only_b += p->only_b;
		results += p->results;
		numbers += p->numbers;
	}
	strbuf_printf(
		t->out,
		"\n%zu call%s in both, %zu only in A, %zu only in B; %zu with a different result",
		t->c->both, plural(t->c->both), only_a, only_b, results);
	if (numbers)
		strbuf_printf(t->out, "; %zu differ only in numbers or generated names", numbers);
	strbuf_puts(t->out, "\n");
}

/* -- time --------------------------------------------------------------------------------- */

static void put_times(struct text_report *t)
{
	struct times times = {0};
	size_t n = 0;

	times_find(&times, t->c->a, t->c->b);
	times_sort(&times, WEIGHT_TIME);
	for (size_t i = 0; i < times.list.n && fits(t, n); i++) {
		const struct stack_times *s = &times.list.v[i];
		uint64_t a = s->a[WEIGHT_TIME], b = s->b[WEIGHT_TIME];

		if (b < a + TIME_CHANGE_MIN || b - a < a / 5)
			break;
		if (!n++)
			heading(t, t->c->a->stacks && t->c->b->stacks
					   ? "Stacks that took longer in B"
					   : "Calls that took longer in B");
		strbuf_printf(t->out,
			      "  +%.3f s  (%.3f -> %.3f s, %" PRIu64 " -> %" PRIu64 " calls)  ",
			      (double)(b - a) / 1e9, (double)a / 1e9, (double)b / 1e9,
			      s->a[WEIGHT_CALLS], s->b[WEIGHT_CALLS]);
		escape_end(t->out, get(t, s->stack), COLUMNS);
		strbuf_putc(t->out, '\n');
	}
	vec_deinit(&times.list);
}

void report_text(struct strbuf *out, const struct report *r)
{
	struct text_report t = {.out = out, .r = r, .c = r->c, .texts = r->c->a->texts};

	path_differences_find(&t.paths, r->c->a, r->c->b);
	path_differences_group(&t.paths, t.texts);
	put_run(&t, 'A', r->c->a, &r->a);
	put_run(&t, 'B', r->c->b, &r->b);
	if (!comparison_differs(r->c))
		strbuf_puts(out, "\nNo differences other than numbers, addresses and times.\n");
	put_ends(&t);
	put_stderr_lines(&t);
	put_surroundings(&t);
	put_paths(&t);
	put_both(&t, DIFFERENCE_RESULT, "Different results");
	put_lone(&t);
	put_both(&t, DIFFERENCE_DATA, "Different data");
	put_only(&t);
	report_critical_text(t.out, r);
	put_times(&t);
	put_counts(&t);
	vec_deinit(&t.paths.list);
	table_deinit(&t.reported);
}

void report_folded(struct strbuf *out, const struct report *r)
{
	struct times times = {0};

	times_find(&times, r->c->a, r->c->b);
	vec_for_each (&times.list, s) {
		uint64_t a = s->a[r->weight], b = s->b[r->weight];

		if (a || b)
			strbuf_printf(out, "%s %" PRIu64 " %" PRIu64 "\n",
				      texts_get(r->c->a->texts, s->stack), a, b);
	}
	vec_deinit(&times.list);
}
