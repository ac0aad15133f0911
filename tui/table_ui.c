/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/table_ui.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinks/live/board.h"
#include "tui/live.h"
#include "tui/output.h"
#include "tui/quit_signals.h"
#include "tui/screen.h"
#include "util/clock.h"

/* Time between two checks for a new snapshot, in milliseconds. */
#define UPDATE_MS 100
/* Number of columns by which one key scrolls the list to the right, and the maximum in total. */
#define SCROLL	   16
#define SCROLL_MAX 4096
/* Screens with fewer lines have no line with headings. */
#define HEADINGS_MIN 4

enum action {
	ACTION_NONE,
#define KEY(action, key, other, name, text) ACTION_##action,
#include "tui/table_keys.def"
#undef KEY
};

static const struct {
	int key, other;
	const char *name, *text;
} keys[] = {
#define KEY(action, key, other, name, text) {key, other, name, text},
#include "tui/table_keys.def"
#undef KEY
};

enum pane { PANE_THREADS, PANE_CALLS, PANE_OUTPUT, PANE_HELP };

struct table_ui {
	struct screen *screen;
	const struct table_config *config;
	struct live_board *board;
	struct live_snapshot snapshot;
	struct live_view view;
	live_lines lines;
	enum pane pane;
	size_t cursor, top, skip;
	/* The thread or process that the cursor follows when the order of the lines changes. */
	pid_t tid, tgid;
	pid_t of_tid, of_tgid; /* in PANE_CALLS: the thread or process whose calls are shown */
	char of_name[LIVE_NAME];
	struct strbuf output;
	struct live_wait waits[LIVE_WAITS_MAX];
	size_t nwaits;
	uint64_t waits_number;
	pid_t wanted[LIVE_WAITS_MAX]; /* the threads whose waits were requested last */
	size_t nwanted;
	bool paused, ended, quit, changed;
};

static size_t list_first(const struct table_ui *u, size_t height)
{
	const bool headings = u->pane == PANE_THREADS || u->pane == PANE_CALLS;

	return headings && height >= HEADINGS_MIN ? 2 : 1;
}

/* Returns the number of screen lines for the list. */
static size_t list_height(const struct table_ui *u)
{
	size_t height, width, others;

	screen_size(u->screen, &height, &width);
	/* A very small screen has no status line. */
	others = list_first(u, height) + (height > 2);
	return height > others ? height - others : 1;
}

/* Returns the total number of lines in the list of the current pane. */
static size_t count(const struct table_ui *u)
{
	return u->pane == PANE_HELP	? ARRAY_SIZE(keys)
	       : u->pane == PANE_OUTPUT ? output_lines(&u->output)
					: u->lines.n;
}

/* ---- data ---- */

/* Makes the lines, and keeps the cursor on the same thread. */
static void update_lines(struct table_ui *u)
{
	if (u->pane == PANE_CALLS)
		live_table_calls(&u->lines, &u->snapshot, &u->view, u->of_tgid, u->of_tid);
	else
		live_table_threads(&u->lines, &u->snapshot, &u->view);
	if (u->pane != PANE_THREADS || !u->tgid)
		return;
	for (size_t i = 0; i < u->lines.n; i++)
		if (u->lines.v[i].tid == u->tid && u->lines.v[i].tgid == u->tgid)
			u->cursor = i;
}

/* Returns true if no thread was ever traced. The recorder has then printed a message. */
static bool is_failure(const struct table_ui *u)
{
	return u->ended && u->snapshot.head.last && !u->snapshot.threads.n;
}

static void look(struct table_ui *u)
{
	struct pollfd alive = {.fd = u->config->recording->live.alive, .events = POLLIN};
	const uint64_t number = u->waits_number;

	if (!u->ended && poll(&alive, 1, 0) > 0)
		u->ended = u->changed = true;
	if (!u->paused && live_board_get(u->board, &u->snapshot)) {
		/* The last interval is short, so show the sums since the start. */
		u->view.since_start |= u->snapshot.head.last;
		update_lines(u);
		u->changed = true;
	}
	u->nwaits = live_board_waits(u->board, u->waits, &u->waits_number);
	u->changed |= number != u->waits_number;
	if (u->pane == PANE_OUTPUT) {
		output_read(&u->output, u->config->recording->output);
		u->changed = true;
	}
	u->quit |= is_failure(u);
}

static const struct live_wait *wait_of(const struct table_ui *u, pid_t tid)
{
	for (size_t i = 0; i < u->nwaits; i++)
		if (u->waits[i].tid == tid)
			return &u->waits[i];
	return NULL;
}

/*
 * Requests the waits of the threads on the screen, unless the last request was for the same
 * threads.
 */
static void want(struct table_ui *u)
{
	const size_t height = list_height(u);
	pid_t tids[LIVE_WAITS_MAX];
	size_t n = 0;

	if (u->pane != PANE_THREADS)
		return;
	for (size_t i = u->top; i < u->lines.n && i < u->top + height && n < LIVE_WAITS_MAX; i++)
		if (*u->lines.v[i].in_call)
			tids[n++] = u->lines.v[i].in_call_tid;
	if (n == u->nwanted && !memcmp(tids, u->wanted, n * sizeof(*tids)))
		return;
	memcpy(u->wanted, tids, n * sizeof(*tids));
	u->nwanted = n;
	live_board_want(u->board, tids, n);
}

/* ---- drawing ---- */

static void put(const struct table_ui *u, size_t y, enum style style, const struct strbuf *b,
		size_t skip)
{
	size_t height, width;

	screen_size(u->screen, &height, &width);
	screen_put(u->screen, y, 0, width, style, b->data, b->len, skip);
}

static void draw_title(const struct table_ui *u)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	const struct live_head *h = &u->snapshot.head;
	size_t threads = 0;

	vec_for_each (&u->snapshot.threads, t)
		threads += t->tid && !t->ended;
	if (u->ended)
		strbuf_puts(&b, "ended");
	else
		strbuf_printf(&b, "%zu thread%s", threads, threads == 1 ? "" : "s");
	strbuf_puts(&b, u->paused ? " | paused" : "");
	strbuf_printf(&b, " | by %s | ", live_key_name(u->view.key));
	if (u->view.since_start)
		strbuf_printf(&b, "since the start, %.0f s", (double)h->since / NSEC_PER_SEC);
	else
		strbuf_printf(&b, "last %.1f s", (double)h->interval / NSEC_PER_SEC);
	if (h->lost)
		strbuf_printf(&b, " | %llu event%s lost", (unsigned long long)h->lost,
			      h->lost == 1 ? "" : "s");
	strbuf_puts(&b, " | ");
	if (u->pane == PANE_CALLS) {
		strbuf_add(&b, u->of_name, strnlen(u->of_name, sizeof(u->of_name)));
		strbuf_printf(&b, " %d", (int)(u->of_tid ? u->of_tid : u->of_tgid));
	} else {
		strbuf_puts(&b, u->config->title);
	}
	put(u, 0, STYLE_BAR, &b, 0);
}

static void draw_headings(const struct table_ui *u)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	size_t height, width;

	screen_size(u->screen, &height, &width);
	if (height < HEADINGS_MIN)
		return;
	if (u->pane == PANE_CALLS)
		live_calls_head(&b, &u->view);
	else
		live_table_head(&b, &u->view, width);
	put(u, 1, STYLE_BOLD, &b, u->skip);
}

static void draw_line(const struct table_ui *u, size_t y, size_t i, enum style style)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	const struct live_line *line = &u->lines.v[i];
	size_t height, width;

	screen_size(u->screen, &height, &width);
	if (u->pane == PANE_CALLS)
		live_calls_line(&b, line, &u->snapshot, &u->view);
	else
		live_table_line(&b, line, wait_of(u, line->in_call_tid), &u->snapshot, &u->view,
				width);
	if (style == STYLE_PLAIN && line->ended)
		style = STYLE_DIM;
	put(u, y, style, &b, u->skip);
}

static void draw_help(const struct table_ui *u, size_t y, size_t i)
{
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	strbuf_printf(&b, "  %-12s %s", keys[i].name, keys[i].text);
	put(u, y, STYLE_PLAIN, &b, u->skip);
}

static void draw_list(struct table_ui *u)
{
	const size_t height = list_height(u), n = count(u);
	const bool has_cursor = u->pane == PANE_THREADS || u->pane == PANE_CALLS;
	size_t screen_height, width, first;

	screen_size(u->screen, &screen_height, &width);
	first = list_first(u, screen_height);
	if (u->cursor >= n)
		u->cursor = n ? n - 1 : 0;
	if (u->top > u->cursor)
		u->top = u->cursor;
	if (u->cursor >= u->top + height)
		u->top = u->cursor - height + 1;
	/* Show as many lines as possible. */
	if (u->top + height > n)
		u->top = n > height ? n - height : 0;
	for (size_t i = 0; i < height && u->top + i < n; i++) {
		const size_t at = u->top + i;

		if (u->pane == PANE_HELP)
			draw_help(u, first + i, at);
		else if (u->pane == PANE_OUTPUT)
			output_draw(u->screen, first + i, STYLE_PLAIN, &u->output, at, u->skip);
		else
			draw_line(u, first + i, at,
				  has_cursor && at == u->cursor ? STYLE_SELECTED : STYLE_PLAIN);
	}
	if (!n)
		screen_put(u->screen, first, 0, width, STYLE_DIM,
			   u->pane == PANE_OUTPUT ? "no output" : "no calls yet",
			   u->pane == PANE_OUTPUT ? 9 : 12, 0);
}

static void draw(struct table_ui *u)
{
	static const char *const hints[] = {
		[PANE_THREADS] = ("q quit  ? help  t c e B w n p sort  z processes  a since the "
				  "start  Enter calls"),
		[PANE_CALLS] = "calls  Esc closes",
		[PANE_OUTPUT] = "output of the program  Esc closes",
		[PANE_HELP] = "keys  Esc closes",
	};
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};
	size_t height, width;

	screen_size(u->screen, &height, &width);
	screen_begin(u->screen);
	draw_title(u);
	if (u->pane == PANE_THREADS || u->pane == PANE_CALLS)
		draw_headings(u);
	draw_list(u);
	strbuf_puts(&b, hints[u->pane]);
	if (height > 2)
		put(u, height - 1, STYLE_BAR, &b, 0);
	screen_show(u->screen, height, 0);
	u->changed = false;
}

/* ---- keys ---- */

static void show_pane(struct table_ui *u, enum pane pane)
{
	u->pane = u->pane == pane ? PANE_THREADS : pane;
	u->cursor = u->top = u->skip = 0;
	if (u->pane == PANE_OUTPUT) {
		output_read(&u->output, u->config->recording->output);
		u->cursor = count(u);
	}
	update_lines(u);
}

static void move(struct table_ui *u, long by)
{
	const size_t height = list_height(u), n = count(u);
	/* Without a cursor, each key scrolls the text. */
	const bool scrolls = u->pane == PANE_HELP || u->pane == PANE_OUTPUT;
	const size_t from = scrolls && by > 0 ? u->top + height - 1 : scrolls ? u->top : u->cursor;

	if (by < 0)
		u->cursor = from > (size_t)-by ? from - (size_t)-by : 0;
	else
		u->cursor = n ? size_min(from + (size_t)by, n - 1) : 0;
	if (u->pane == PANE_THREADS && u->cursor < n) {
		u->tid = u->lines.v[u->cursor].tid;
		u->tgid = u->lines.v[u->cursor].tgid;
	}
}

static void choose(struct table_ui *u)
{
	const struct live_line *line = u->cursor < u->lines.n ? &u->lines.v[u->cursor] : NULL;

	if (u->pane != PANE_THREADS) {
		show_pane(u, PANE_THREADS);
		return;
	}
	if (!line)
		return;
	u->tid = u->of_tid = line->tid;
	u->tgid = u->of_tgid = line->tgid;
	memcpy(u->of_name, line->name, sizeof(u->of_name));
	show_pane(u, PANE_CALLS);
}

static void sort_by(struct table_ui *u, enum live_key key)
{
	u->view.key = key;
	u->cursor = u->top = 0;
	u->tid = u->tgid = 0;
	update_lines(u);
}

static void act(struct table_ui *u, enum action action)
{
	const long page = (long)list_height(u);

	switch (action) {
	case ACTION_UP:
		move(u, -1);
		break;
	case ACTION_DOWN:
		move(u, 1);
		break;
	case ACTION_PAGE_UP:
		move(u, -page);
		break;
	case ACTION_PAGE_DOWN:
		move(u, page);
		break;
	case ACTION_START:
		move(u, -(long)count(u));
		break;
	case ACTION_END:
		move(u, (long)count(u));
		break;
	case ACTION_LEFT:
		u->skip -= size_min(u->skip, SCROLL);
		break;
	case ACTION_RIGHT:
		u->skip = size_min(u->skip + SCROLL, SCROLL_MAX);
		break;
	case ACTION_BY_TIME:
	case ACTION_BY_CALLS:
	case ACTION_BY_ERRORS:
	case ACTION_BY_BYTES:
	case ACTION_BY_WAIT:
	case ACTION_BY_NAME:
	case ACTION_BY_PID:
		sort_by(u, (enum live_key)(LIVE_BY_TIME + (action - ACTION_BY_TIME)));
		break;
	case ACTION_FOLD:
		u->view.folded = !u->view.folded;
		u->tid = u->tgid = 0;
		u->cursor = u->top = 0;
		update_lines(u);
		break;
	case ACTION_TOTALS:
		u->view.since_start = !u->view.since_start;
		update_lines(u);
		break;
	case ACTION_ENTER:
		choose(u);
		break;
	case ACTION_ESCAPE:
		show_pane(u, PANE_THREADS);
		break;
	case ACTION_PAUSE:
		u->paused = !u->paused;
		break;
	case ACTION_OUTPUT:
		show_pane(u, PANE_OUTPUT);
		break;
	case ACTION_HELP:
		show_pane(u, PANE_HELP);
		break;
	case ACTION_REDRAW:
		screen_redraw(u->screen);
		break;
	case ACTION_QUIT:
		u->quit = true;
		break;
	case ACTION_NONE:
		break;
	}
}

static void handle(struct table_ui *u, int key)
{
	u->changed = true;
	if (key == KEYS_GONE)
		u->quit = true;
	for (size_t i = 0; i < ARRAY_SIZE(keys) && key != KEYS_RESIZED; i++)
		if (keys[i].key == key || (keys[i].other && keys[i].other == key)) {
			act(u, (enum action)(i + 1));
			return;
		}
}

/* Returns false if the terminal no longer exists. */
static bool wait_for_input(const struct table_ui *u)
{
	struct pollfd p = {.fd = screen_fd(u->screen), .events = POLLIN};

	if (poll(&p, 1, UPDATE_MS) < 0)
		return errno == EINTR;
	return !(p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void table_ui_run(struct screen *screen, const struct table_config *config)
{
	struct table_ui u = {.screen = screen,
			     .config = config,
			     .board = config->recording->board,
			     .view = config->view,
			     .changed = true};
	int key;

	quit_signals_catch();
	while (!u.quit && !quit_signals_arrived()) {
		look(&u);
		if (u.changed)
			draw(&u);
		want(&u);
		u.quit |= !wait_for_input(&u);
		while (!u.quit && (key = screen_key(screen)) != KEYS_NONE)
			handle(&u, key);
	}
	vec_deinit(&u.lines);
	live_snapshot_deinit(&u.snapshot);
	strbuf_deinit(&u.output);
}
