/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/tui.h"

#include "cli/options.h"
#include "tui/live.h"
#include "tui/table_ui.h"
#include "tui/ui.h"
#include "util/escape.h"
#include "util/msg.h"

/*
 * Appends the title: the command, the processes and control groups, or "all processes". If none of
 * these is known, appends the name of the first trace.
 */
static void put_title(struct strbuf *b, const struct options *o)
{
	vec_for_each (&o->words, w) {
		if (b->len)
			strbuf_putc(b, ' ');
		escape_foreign(b, *w);
	}
	for (char **a = b->len ? NULL : o->argv; a && *a; a++)
		strbuf_printf(b, "%s%s", a == o->argv ? "" : " ", *a);
	for (size_t i = 0; !b->len && i < o->pids.n; i++)
		strbuf_printf(b, "%sprocess %d", i ? ", " : "", (int)o->pids.v[i]);
	vec_for_each (&o->cgroups, group)
		strbuf_printf(b, "%s%s", b->len ? ", " : "", *group);
	if (!b->len && o->all)
		strbuf_puts(b, "all processes");
	if (!b->len && o->read_traces.n)
		strbuf_puts(b, o->read_traces.v[0]);
}

/*
 * Opens the screen on /dev/tty, so that the program can use standard output. Ends tracer with a
 * message if there is no suitable terminal.
 */
static struct screen *open_screen(const struct options *o)
{
	const char *why;
	struct screen *screen = screen_open(&why);

	if (!screen)
		die("%s: %s%s", o->live_ns ? "--live" : "--tui", why,
		    o->live_ns ? "; with -o or in a pipe, the table is written as text" : "");
	return screen;
}

static int show_trace(const struct options *o, struct ui_config *config)
{
	struct screen *screen = open_screen(o);

	config->browser.paths = o->read_traces.v;
	config->browser.npaths = o->read_traces.n;
	config->browser.from = o->player.from;
	config->browser.to = o->player.to;
	ui_run(screen, config);
	screen_close(screen);
	return 0;
}

static int show_live(const struct options *o, struct ui_config *config)
{
	struct recording r;
	struct screen *screen;

	/* Check that there is a terminal before the program is started. */
	screen_close(open_screen(o));
	if (!live_start(&r, o))
		return 1;
	screen = open_screen(o);
	config->browser.live = &r.live;
	config->browser.to = INT64_MAX;
	config->recording = &r;
	ui_run(screen, config);
	screen_close(screen);
	return live_end(&r);
}

static int show_table(const struct options *o, const char *title)
{
	struct recording r;
	struct table_config config = {.title = title, .recording = &r, .view = o->live_config.view};
	struct screen *screen;

	/* Check that there is a terminal before the program is started. */
	screen_close(open_screen(o));
	if (!live_start(&r, o))
		return 1;
	screen = open_screen(o);
	table_ui_run(screen, &config);
	screen_close(screen);
	return live_end(&r);
}

int tui_main(const struct options *o)
{
	attr_cleanup(strbuf_deinit) struct strbuf title = {0};
	struct ui_config config = {.browser.line = o->line};

	put_title(&title, o);
	if (o->live_ns)
		return show_table(o, strbuf_str(&title));
	config.title = strbuf_str(&title);
	return o->trace ? show_trace(o, &config) : show_live(o, &config);
}
