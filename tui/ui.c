/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/lock_board.h"
#include "tui/output.h"
#include "tui/quit_signals.h"
#include "tui/view.h"
#include "util/clock.h"

/* The time between two updates for a running program, in milliseconds. */
#define LIVE_MS	  250
#define INPUT_MAX 2000

enum action {
	ACTION_NONE,
#define KEY(action, key, other, name, text) ACTION_##action,
#include "tui/keys.def"
#undef KEY
};

struct ui {
	struct view view;
	struct browser browser;
	const struct ui_config *config;
	enum action asking; /* the action that the answer to the prompt is for, or ACTION_NONE */
	bool quit;
	struct timespec update_at; /* time of the next update for a running program */
};

static enum action action_of(int key)
{
	static const struct {
		int key, other;
		enum action action;
	} keys[] = {
#define KEY(action, key, other, name, text) {key, other, ACTION_##action},
#include "tui/keys.def"
#undef KEY
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].key == key || (keys[i].other && keys[i].other == key))
			return keys[i].action;
	return ACTION_NONE;
}

static void say(struct ui *u, const char *text)
{
	snprintf(u->browser.message, sizeof(u->browser.message), "%s", text);
}

/* ---- panes ---- */

static void read_output(struct ui *u)
{
	if (u->config->recording)
		output_read(&u->view.output, u->config->recording->output);
}

static void show_pane(struct ui *u, enum pane pane)
{
	u->view.pane = u->view.pane == pane ? PANE_CALLS : pane;
	u->view.cursor = u->view.top = u->view.skip = 0;
	u->view.waiter = 0;
	u->browser.message[0] = 0;
	if (u->view.pane == PANE_OUTPUT) {
		read_output(u);
		u->view.cursor = view_lines(&u->view);
		if (!u->config->recording)
			say(u, "this is a trace, which does not contain the program's output");
	}
	if (u->config->recording && u->config->recording->locks)
		atomic_store(&u->config->recording->locks->wanted, u->view.pane == PANE_WAITS);
	if (u->view.pane == PANE_WAITS)
		browser_list_running(&u->browser);
	if (u->view.pane == PANE_TREE && !u->browser.scan.pid && !u->browser.counted)
		browser_scan(&u->browser);
}

/*
 * Limits the list of calls to the thread or process that is selected in a pane, if any. Shows the
 * list of calls.
 */
static void choose(struct ui *u)
{
	struct browser *b = &u->browser;
	const size_t i = u->view.cursor;
	struct row r = {0};
	enum facet facet = FACET_PROCESS;

	if (u->view.pane == PANE_TREE && i < b->tree.visible.n) {
		r.pid = b->tree.nodes.v[b->tree.visible.v[i]].pid;
	} else if (u->view.pane == PANE_WAITS && i < b->waits.n) {
		r.tid = b->waits.v[i].tid;
		facet = FACET_THREAD;
	} else {
		show_pane(u, PANE_CALLS);
		return;
	}
	model_push_facet(&b->model, &r, facet);
	show_pane(u, PANE_CALLS);
	browser_filter(b);
}

static void move(struct ui *u, long by)
{
	struct view *v = &u->view;
	const size_t n = view_lines(v);

	if (v->pane == PANE_CALLS) {
		u->browser.model.follows = false;
		model_move(&u->browser.model, by);
	} else if (v->pane == PANE_HELP) {
		/* The help has no cursor, so each key scrolls the text. */
		const size_t height = view_list_height(v), last = n > height ? n - height : 0;

		if (by < 0)
			v->top = v->top > (size_t)-by ? v->top - (size_t)-by : 0;
		else
			v->top = size_min(v->top + (size_t)by, last);
		v->cursor = v->top;
	} else if (by < 0) {
		v->cursor = v->cursor > (size_t)-by ? v->cursor - (size_t)-by : 0;
	} else {
		v->cursor = n ? size_min(v->cursor + (size_t)by, n - 1) : 0;
	}
	if (v->pane == PANE_WAITS && v->cursor < n)
		v->waiter = u->browser.waits.v[v->cursor].tid;
}

/* ---- questions ---- */

static void ask(struct ui *u, enum action action, const char *prompt)
{
	u->asking = action;
	u->view.prompt = prompt;
	u->view.input.len = 0;
	u->browser.message[0] = 0;
}

/*
 * Returns true if the query is valid, otherwise shows the error message. To check the query, runs
 * tracer with it on a part of the trace that contains no events.
 */
static bool is_valid(struct ui *u, const char *query)
{
	struct part part = {.from = INT64_MAX / 4, .to = INT64_MAX, .where = query};
	char **argv = command_make(&u->browser.command, "processes", &part);
	attr_cleanup(strbuf_deinit) struct strbuf text = {0};
	struct job j = {0};
	struct pollfd p;
	bool valid;

	job_start(&j, argv, -1);
	command_free(argv);
	do {
		p = (struct pollfd){.fd = j.fd, .events = POLLIN};
		if (!j.ended)
			poll(&p, 1, 1000);
	} while (job_read(&j) || !j.ended);
	valid = !j.status;
	job_message(&j, &text);
	if (!valid)
		say(u, text.len ? strbuf_str(&text) : "invalid query");
	job_stop(&j);
	return valid;
}

static void answer(struct ui *u)
{
	struct browser *b = &u->browser;
	const enum action asking = u->asking;
	const char *text = strbuf_str(&u->view.input);
	char *end;
	double seconds;

	u->asking = ACTION_NONE;
	u->view.prompt = NULL;
	if (!*text)
		return;
	switch (asking) {
	case ACTION_FILTER:
		if (!is_valid(u, text))
			break;
		model_push(&b->model, text, text);
		browser_filter(b);
		break;
	case ACTION_SEARCH:
		browser_find(b, 1, &(struct goal){.text = text});
		break;
	default:
		seconds = strtod(text, &end);
		if (*end || !(seconds >= 0 && seconds < 1e9))
			say(u, "not a number of seconds");
		else
			browser_goto(b, b->began + (int64_t)(seconds * NSEC_PER_SEC));
		break;
	}
}

static void edit(struct ui *u, int key)
{
	struct strbuf *in = &u->view.input;

	if (key == '\n') {
		answer(u);
	} else if (key == '\033') {
		u->asking = ACTION_NONE;
		u->view.prompt = NULL;
	} else if (key == KEYS_BACKSPACE) {
		/* Remove all bytes of the last character. */
		while (in->len && (in->data[in->len - 1] & 0xc0) == 0x80)
			in->len--;
		if (in->len)
			in->len--;
	} else if (key == 'U' - '@') {
		in->len = 0;
	} else if (key >= ' ' && key < 256 && in->len < INPUT_MAX) {
		strbuf_putc(in, (char)key);
	}
}

/* ---- actions ---- */

static void follow(struct ui *u, enum facet facet)
{
	const struct row *r = browser_selected(&u->browser);

	if (!r)
		return;
	if (!model_push_facet(&u->browser.model, r, facet)) {
		say(u, facet == FACET_FD     ? "this call has no descriptor"
		       : facet == FACET_PATH ? "this call has no path"
					     : "this is not a call");
		return;
	}
	browser_filter(&u->browser);
}

static void copy(struct ui *u, const char *text)
{
	if (!text || !*text) {
		say(u, "the command line is not known yet");
		return;
	}
	screen_copy(u->view.screen, text, strlen(text));
	say(u, "copied, if the terminal allows it (OSC 52)");
}

static const char *command_of(const struct ui *u, const struct row *r)
{
	const struct tree *t = &u->browser.tree;
	const char *command = NULL;

	/* Of processes with the same id, choose the last one that began before the call ended. */
	vec_for_each (&t->nodes, n)
		if (r && n->pid == r->pid && (!command || n->first <= r->end))
			command = n->command;
	return command;
}

static void pause_or_continue(struct ui *u)
{
	struct model *m = &u->browser.model;

	if (!u->config->browser.live)
		say(u, "this is a trace, not a running program");
	else if (m->follows)
		m->follows = false;
	else
		browser_end(&u->browser);
}

/* Handles keys that mean the same in all panes. Returns false for other keys. */
static bool act_anywhere(struct ui *u, enum action action)
{
	const long page = (long)view_list_height(&u->view);
	struct view *v = &u->view;

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
	case ACTION_LEFT:
		v->skip -= size_min(v->skip, 16);
		break;
	case ACTION_RIGHT:
		v->skip = size_min(v->skip + 16, 1 << 16);
		break;
	case ACTION_TREE:
		show_pane(u, PANE_TREE);
		break;
	case ACTION_WAITS:
		show_pane(u, PANE_WAITS);
		break;
	case ACTION_OUTPUT:
		show_pane(u, PANE_OUTPUT);
		break;
	case ACTION_HELP:
		show_pane(u, PANE_HELP);
		break;
	case ACTION_REDRAW:
		screen_redraw(v->screen);
		break;
	case ACTION_QUIT:
		u->quit = true;
		break;
	default:
		return false;
	}
	return true;
}

/* Handles keys in panes other than the list of calls. */
static void act_in_pane(struct ui *u, enum action action)
{
	switch (action) {
	case ACTION_START:
		move(u, -(long)view_lines(&u->view));
		break;
	case ACTION_END:
		move(u, (long)view_lines(&u->view));
		break;
	case ACTION_FOLD:
		if (u->view.pane == PANE_TREE)
			tree_fold(&u->browser.tree, u->view.cursor);
		break;
	case ACTION_ENTER:
		choose(u);
		break;
	case ACTION_ESCAPE:
		show_pane(u, PANE_CALLS);
		break;
	default:
		break;
	}
}

/* Handles keys in the list of calls that add or remove filters. */
static void act_on_filter(struct ui *u, enum action action)
{
	static const struct {
		enum action action;
		enum facet facet;
	} facets[] = {
		{ACTION_HIDE, FACET_HIDE},	 {ACTION_ONLY, FACET_NAME},
		{ACTION_PROCESS, FACET_PROCESS}, {ACTION_THREAD, FACET_THREAD},
		{ACTION_FD, FACET_FD},		 {ACTION_PATH, FACET_PATH},
	};
	struct model *m = &u->browser.model;

	for (size_t i = 0; i < ARRAY_SIZE(facets); i++)
		if (facets[i].action == action)
			follow(u, facets[i].facet);
	if (action == ACTION_UNDO && model_pop(m)) {
		browser_filter(&u->browser);
	} else if (action == ACTION_CLEAR && m->clauses.n) {
		while (model_pop(m))
			;
		browser_filter(&u->browser);
	}
}

static void act_in_calls(struct ui *u, enum action action)
{
	static const struct goal errors = {.query = "error"};
	struct browser *b = &u->browser;
	const struct row *r = browser_selected(b);

	switch (action) {
	case ACTION_START:
		browser_start(b);
		break;
	case ACTION_END:
		browser_end(b);
		break;
	case ACTION_GOTO:
		ask(u, action, "go to time (seconds since the start): ");
		break;
	case ACTION_FILTER:
		ask(u, action, "filter: ");
		break;
	case ACTION_SEARCH:
		ask(u, action, "search: ");
		break;
	case ACTION_NEXT:
		browser_find(b, 1, NULL);
		break;
	case ACTION_PREVIOUS:
		browser_find(b, -1, NULL);
		break;
	case ACTION_ERROR:
		browser_find(b, 1, &errors);
		break;
	case ACTION_ERROR_BACK:
		browser_find(b, -1, &errors);
		break;
	case ACTION_STACK_DOWN:
		u->view.stack_top++;
		break;
	case ACTION_STACK_UP:
		u->view.stack_top -= u->view.stack_top > 0;
		break;
	case ACTION_FOLD:
		model_fold(&b->model, !b->model.folds);
		break;
	case ACTION_PAUSE:
		pause_or_continue(u);
		break;
	case ACTION_COPY:
		copy(u, r ? r->text : NULL);
		break;
	case ACTION_COPY_COMMAND:
		copy(u, command_of(u, r));
		break;
	case ACTION_ESCAPE:
		browser_cancel(b);
		break;
	default:
		act_on_filter(u, action);
		break;
	}
}

static void handle(struct ui *u, int key)
{
	const enum action action = action_of(key);

	if (key == KEYS_GONE) {
		u->quit = true;
		return;
	}
	if (key == KEYS_RESIZED)
		return;
	if (u->asking) {
		edit(u, key);
		return;
	}
	if (!u->browser.find.pid)
		u->browser.message[0] = 0;
	if (action != ACTION_STACK_DOWN && action != ACTION_STACK_UP)
		u->view.stack_top = 0;
	if (act_anywhere(u, action))
		return;
	if (u->view.pane == PANE_CALLS)
		act_in_calls(u, action);
	else
		act_in_pane(u, action);
}

/* ---- loop ---- */

/* Updates the view of a running program if the time for the next update has come. */
static void look(struct ui *u)
{
	struct pollfd alive;
	bool ended;

	if (!u->config->browser.live || timespec_before(clock_after(0), u->update_at))
		return;
	u->update_at = clock_after(LIVE_MS * 1000000ull);
	alive = (struct pollfd){.fd = u->config->browser.live->alive, .events = POLLIN};
	ended = poll(&alive, 1, 0) > 0;
	if (ended == u->view.ended && ended)
		return;
	u->view.ended = ended;
	live_limit(u->config->recording);
	u->view.dropped = u->config->recording->dropped;
	u->browser.kept_from = u->config->recording->kept_from;
	browser_update_extent(&u->browser);
	browser_scan_again(&u->browser);
	if (ended)
		u->browser.scan_due = clock_after(0);
	if (u->view.pane == PANE_OUTPUT)
		read_output(u);
	if (u->view.pane == PANE_WAITS && !u->browser.running.pid)
		browser_list_running(&u->browser);
	u->browser.changed = true;
}

static void wait_for_input(struct ui *u)
{
	struct pollfd p[1 + BROWSER_FDS];
	size_t n = 1 + browser_poll(&u->browser, p + 1);
	int timeout = browser_timeout(&u->browser);

	p[0] = (struct pollfd){.fd = screen_fd(u->view.screen), .events = POLLIN};
	if (u->config->browser.live && !u->view.ended && (timeout < 0 || timeout > LIVE_MS))
		timeout = LIVE_MS;
	if (poll(p, n, timeout) < 0 ? errno != EINTR
				    : p[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		u->quit = true;
}

void ui_run(struct screen *screen, const struct ui_config *config)
{
	struct ui u = {.config = config};
	int key;

	u.view = (struct view){.screen = screen,
			       .browser = &u.browser,
			       .title = config->title,
			       .live = config->browser.live != NULL,
			       .locks = config->recording ? config->recording->locks : NULL};
	quit_signals_catch();
	browser_init(&u.browser, &config->browser);
	while (!u.quit && !quit_signals_arrived()) {
		model_resize(&u.browser.model, u.view.pane == PANE_CALLS ? view_list_height(&u.view)
									 : u.browser.model.height);
		browser_work(&u.browser);
		look(&u);
		browser_moved(&u.browser);
		view_draw(&u.view);
		wait_for_input(&u);
		while (!u.quit && (key = screen_key(screen)) != KEYS_NONE)
			handle(&u, key);
	}
	browser_deinit(&u.browser);
	strbuf_deinit(&u.view.output);
	strbuf_deinit(&u.view.input);
}
