/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/view.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tui/output.h"
#include "session/lock_board.h"
#include "sinks/rows/rows.h"
#include "util/clock.h"

/* Screens with fewer lines have no pane for the stack. */
#define STACK_MIN_HEIGHT 12

static const struct {
	const char *name, *text;
} helps[] = {
#define KEY(action, key, other, name, text) {name, text},
#include "tui/keys.def"
#undef KEY
};

static size_t stack_height(const struct view *v)
{
	size_t height, width;

	screen_size(v->screen, &height, &width);
	return height < STACK_MIN_HEIGHT ? 0 : height / 3;
}

size_t view_list_height(const struct view *v)
{
	size_t height, width, others = 2 + (v->pane == PANE_CALLS ? stack_height(v) : 0);

	screen_size(v->screen, &height, &width);
	return height > others ? height - others : 1;
}

size_t view_lines(const struct view *v)
{
	switch (v->pane) {
	case PANE_CALLS:
		return v->browser->model.items.n;
	case PANE_TREE:
		return v->browser->tree.visible.n;
	case PANE_WAITS:
		return v->browser->waits.n;
	case PANE_OUTPUT:
		return output_lines(&v->output);
	case PANE_HELP:
		return ARRAY_SIZE(helps);
	}
	return 0;
}

static size_t screen_width(const struct view *v)
{
	size_t height, width;

	screen_size(v->screen, &height, &width);
	return width;
}

static void put(const struct view *v, size_t y, enum style style, const struct strbuf *b)
{
	screen_put(v->screen, y, 0, screen_width(v), style, b->data, b->len, 0);
}

/* Writes a text in place of a list. */
static void put_dim(const struct view *v, const char *text)
{
	screen_put(v->screen, 1, 0, screen_width(v), STYLE_DIM, text, strlen(text), 0);
}

/* Appends a number with a separator after every three digits. */
static void put_number(struct strbuf *b, uint64_t n)
{
	char digits[24];
	const int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			strbuf_putc(b, ',');
		strbuf_putc(b, digits[i]);
	}
}

/* Appends a duration and its unit. Rounds it to three digits, or to whole seconds. */
static void put_duration(struct strbuf *b, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double value = (double)ns;
	size_t unit = 0;

	while (value >= 1000 && unit + 1 < ARRAY_SIZE(units)) {
		value /= 1000;
		unit++;
	}
	strbuf_printf(b,
		      value < 10 && unit    ? "%.2f%s"
		      : value < 100 && unit ? "%.1f%s"
					    : "%.0f%s",
		      value, units[unit]);
}

static void draw_title(const struct view *v)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	const struct browser *br = v->browser;

	if (br->counted) {
		put_number(&b, br->calls);
		strbuf_puts(&b, br->calls == 1 ? " call, " : " calls, ");
		put_number(&b, br->errors);
		strbuf_puts(&b, " failed");
	} else {
		put_number(&b, br->calls);
		strbuf_puts(&b, "+ calls");
	}
	if (v->live)
		strbuf_puts(&b, v->ended	    ? " | ended"
				: br->model.follows ? " | live"
						    : " | paused");
	if (v->dropped)
		strbuf_printf(&b, " | oldest %llu MB dropped",
			      (unsigned long long)(v->dropped >> 20));
	vec_for_each (&br->model.clauses, c)
		strbuf_printf(&b, "%s%s", c == br->model.clauses.v ? " | filter: " : " & ",
			      c->label);
	strbuf_printf(&b, " | %s", v->title);
	put(v, 0, STYLE_BAR, &b);
}

static enum style row_style(const struct row *r)
{
	if (r->error)
		return STYLE_ERROR;
	return r->kind == ROWS_CALL ? STYLE_PLAIN : STYLE_BOLD;
}

static void draw_row(const struct view *v, size_t y, const struct item *item, bool selected)
{
	const struct model *m = &v->browser->model;
	const struct row *r = &m->rows.v[item->first];
	const int64_t start = r->end - (int64_t)r->duration - v->browser->began;
	const size_t width = screen_width(v);
	attr_cleanup(strbuf_deinit) struct strbuf left = {0}, right = {0};
	enum style style = selected ? STYLE_SELECTED : row_style(r);
	size_t taken, after;

	if (width >= 60)
		strbuf_printf(&left, "%11.6f ", (double)start / NSEC_PER_SEC);
	if (width >= 40)
		strbuf_printf(&left, "%7d ", (int)r->tid);
	if (item->n > 1)
		strbuf_printf(&left, "%zux ", item->n);
	if (width >= 70 && (r->kind == ROWS_CALL || r->kind == ROWS_RUNNING)) {
		uint64_t duration = 0;

		for (size_t i = 0; i < item->n; i++)
			duration += m->rows.v[item->first + i].duration;
		strbuf_putc(&right, ' ');
		put_duration(&right, duration);
	}
	taken = size_min(left.len, width);
	after = right.len ? 8 : 0;
	screen_put(v->screen, y, 0, taken, selected ? style : STYLE_DIM, left.data, left.len, 0);
	screen_put(v->screen, y, taken, width - taken - after, style, r->text, strlen(r->text),
		   v->skip);
	if (after) {
		screen_put(v->screen, y, width - after, after - right.len, style, "", 0, 0);
		screen_put(v->screen, y, width - right.len, right.len, selected ? style : STYLE_DIM,
			   right.data, right.len, 0);
	}
}

static void draw_calls(const struct view *v)
{
	const struct model *m = &v->browser->model;
	const size_t height = view_list_height(v);

	for (size_t i = 0; i < height && m->top + i < m->items.n; i++)
		draw_row(v, 1 + i, &m->items.v[m->top + i], m->top + i == m->cursor);
	if (!m->items.n)
		put_dim(v, m->at_end ? "no calls match" : "reading...");
}

/* Appends what is known about the selected call, except for its stack. */
static void put_details(const struct view *v, struct strbuf *b, const struct row *r)
{
	const struct timespec t = timespec_of(r->end - (int64_t)r->duration);
	const size_t width = size_min(screen_width(v), 400);
	char clock[32] = "";
	struct tm tm;

	if (localtime_r(&t.tv_sec, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	strbuf_printf(b, "%s, process %d, thread %d, at %s.%06ld", r->comm, (int)r->pid,
		      (int)r->tid, clock, t.tv_nsec / 1000);
	if (r->kind == ROWS_CALL || r->kind == ROWS_RUNNING) {
		strbuf_puts(b, r->kind == ROWS_CALL ? ", took " : ", not ended after ");
		put_duration(b, r->duration);
	}
	strbuf_putc(b, '\n');
	/* The list has no room for the whole call, so show it on several lines. */
	for (size_t i = 0, n = strlen(r->text); i < n && width > 4; i += width - 2)
		strbuf_printf(b, "  %.*s\n", (int)size_min(width - 2, n - i), r->text + i);
}

static void draw_stack(const struct view *v)
{
	const struct row *r = model_selected(&v->browser->model);
	const size_t height = stack_height(v), first = 1 + view_list_height(v);
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	const char *p, *end;
	size_t y = 0;

	if (!r || !height)
		return;
	put_details(v, &b, r);
	if (v->browser->shown.line && row_same(r, &v->browser->shown))
		strbuf_add(&b, v->browser->stack.data, v->browser->stack.len);
	p = b.data;
	end = b.data + b.len;
	for (size_t i = 0; p < end && y < height; i++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const size_t n = (size_t)((stop ? stop : end) - p);

		/* The first line does not scroll. */
		if (!i || i > v->stack_top)
			screen_put(v->screen, first + y++, 0, screen_width(v),
				   i ? STYLE_PLAIN : STYLE_BAR, p, n, 0);
		p += n + 1;
	}
}

static void draw_tree_line(const struct view *v, size_t y, size_t i, enum style style)
{
	const struct tree *t = &v->browser->tree;
	const struct node *n = &t->nodes.v[t->visible.v[i]];
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	strbuf_printf(&b, "%7d %9llu %6llu ", (int)n->pid, (unsigned long long)n->calls,
		      (unsigned long long)n->errors);
	put_duration(&b, (uint64_t)(n->last - n->first));
	if (b.len < 33)
		strbuf_pad(&b, ' ', 33 - b.len);
	strbuf_pad(&b, ' ', size_min(2 * n->depth, 40));
	strbuf_puts(&b, !n->has_children ? "  " : n->folded ? "+ " : "- ");
	strbuf_puts(&b, *n->command ? n->command : n->comm);
	if (*n->end && strcmp(n->end, "exited with 0") != 0)
		strbuf_printf(&b, " (%s)", n->end);
	screen_put(v->screen, y, 0, screen_width(v), style, b.data, b.len, v->skip);
}

static void draw_wait_line(const struct view *v, size_t y, size_t i, enum style style)
{
	const struct row *r = &v->browser->waits.v[i];
	const struct lock_wait wait = lock_board_find(v->locks, r->tid);
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	uint64_t duration = r->duration;
	struct timespec now;

	/*
	 * The trace of a running program does not grow while no events occur, so use the current
	 * time.
	 */
	if (v->live && !v->ended) {
		clock_gettime(CLOCK_REALTIME, &now);
		duration += (uint64_t)((int64_t)timespec_ns(now) - r->end);
	}
	put_duration(&b, duration);
	if (b.len < 7)
		strbuf_pad(&b, ' ', 7 - b.len);
	strbuf_printf(&b, "%7d %-15s ", (int)r->tid, r->comm);
	if (wait.holder)
		strbuf_printf(&b, "[lock held by %d] ", (int)wait.holder);
	else if (wait.joined)
		strbuf_printf(&b, "[until %d ends] ", (int)wait.joined);
	strbuf_puts(&b, r->text);
	screen_put(v->screen, y, 0, screen_width(v), style, b.data, b.len, v->skip);
}

static void draw_help_line(const struct view *v, size_t y, size_t i, enum style style)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	strbuf_printf(&b, "  %-14s %s", helps[i].name, helps[i].text);
	put(v, y, style, &b);
}

static void draw_output_line(const struct view *v, size_t y, size_t i, enum style style)
{
	output_draw(v->screen, y, style, &v->output, i, v->skip);
}

/* Keeps the cursor on the selected thread, although the order of the list changes. */
static void find_waiter(struct view *v)
{
	const row_vec *waits = &v->browser->waits;

	for (size_t i = 0; v->waiter && i < waits->n; i++)
		if (waits->v[i].tid == v->waiter)
			v->cursor = i;
}

static void draw_list(struct view *v)
{
	static void (*const draw[])(const struct view *, size_t, size_t, enum style) = {
		[PANE_TREE] = draw_tree_line,
		[PANE_WAITS] = draw_wait_line,
		[PANE_OUTPUT] = draw_output_line,
		[PANE_HELP] = draw_help_line,
	};
	const size_t height = view_list_height(v), n = view_lines(v);

	if (v->pane == PANE_WAITS)
		find_waiter(v);
	if (v->cursor >= n)
		v->cursor = n ? n - 1 : 0;
	if (v->top > v->cursor)
		v->top = v->cursor;
	if (v->cursor >= v->top + height)
		v->top = v->cursor - height + 1;
	if (v->pane == PANE_WAITS && !n)
		put_dim(v, v->browser->waits_known ? "all calls have ended" : "reading...");
	if (v->pane == PANE_TREE && !n)
		put_dim(v, v->browser->scan.pid ? "reading..." : "no processes match");
	for (size_t i = 0; i < height && v->top + i < n; i++)
		draw[v->pane](v, 1 + i, v->top + i,
			      v->top + i == v->cursor && v->pane != PANE_HELP ? STYLE_SELECTED
									      : STYLE_PLAIN);
}

static void draw_status(const struct view *v, size_t *x)
{
	static const char *const hints[] = {
		[PANE_CALLS] = "q quit  ? help  / filter  s search  e error  T processes",
		[PANE_TREE] = ("Enter follows this process  z folds  Esc closes  "
			       "(columns: process, calls, failed, time)"),
		[PANE_WAITS] = "calls that have not ended  Enter follows the thread  Esc closes",
		[PANE_OUTPUT] = "output of the program  Esc closes",
		[PANE_HELP] = "keys  Esc closes",
	};
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	const struct browser *br = v->browser;
	const size_t width = screen_width(v);
	size_t height, skip = 0, w;

	screen_size(v->screen, &height, &w);
	*x = 0;
	if (v->prompt) {
		strbuf_puts(&b, v->prompt);
		strbuf_add(&b, v->input.data, v->input.len);
		*x = b.len;
		if (*x >= width) {
			skip = *x - width + 1;
			*x = width - 1;
		}
		screen_put(v->screen, height - 1, 0, width, STYLE_PLAIN, b.data, b.len, skip);
		return;
	}
	strbuf_puts(&b, *br->message ? br->message : hints[v->pane]);
	put(v, height - 1, STYLE_BAR, &b);
}

void view_draw(struct view *v)
{
	size_t height, width, x;

	screen_size(v->screen, &height, &width);
	screen_begin(v->screen);
	draw_title(v);
	if (v->pane == PANE_CALLS) {
		draw_calls(v);
		draw_stack(v);
	} else {
		draw_list(v);
	}
	draw_status(v, &x);
	screen_show(v->screen, v->prompt ? height - 1 : height, x);
}
