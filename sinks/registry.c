/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/registry.h"

#include <string.h>
#include <strings.h>

#include "sinks/chrome/chrome.h"
#include "sinks/html/flamegraph.h"
#include "sinks/html/html.h"
#include "sinks/json/json.h"
#include "sinks/profile/folded.h"
#include "sinks/rows/rows.h"
#include "sinks/text/text.h"

static struct sink *text_create(const struct sink_config *config)
{
	return text_sink_create(config->text);
}

#define OF_THREADS (WANTS_TIMES | WANTS_COMM | WANTS_TGID)
#define OF_STACKS  (WANTS_TIMES | WANTS_COMM | WANTS_STACKS)
#define NAME(s)	   .name = s, .option = "--format=" s

static const struct sink_format formats[] = {
	{NAME("text"), .separately = true, .appends = true, .summaries = true, .snapshots = true,
	 .by_event = true,
	 .shows = SHOWS_LINES | SHOWS_SPELLING | SHOWS_VALUES | SHOWS_DUMPS | SHOWS_BLOCKED |
		  SHOWS_WAKERS,
	 .create = text_create},
	{NAME("json"), .note = "one object per line", .wants = OF_THREADS, .separately = true,
	 .appends = true, .snapshots = true, .by_event = true,
	 .shows = SHOWS_VALUES | SHOWS_DUMPS | SHOWS_BLOCKED | SHOWS_WAKERS,
	 .create = json_sink_create},
	{NAME("csv"), .note = "the summary of -c as a table", .summaries = true, .appends = true,
	 .create = text_create},
	{NAME("folded"), .note = "stacks for flamegraph.pl", .wants = OF_STACKS, .appends = true,
	 .snapshots = true, .shows = SHOWS_WEIGHTS, .create = folded_sink_create},
	{NAME("chrome"), .note = "trace events", .wants = OF_THREADS,
	 .shows = SHOWS_VALUES | SHOWS_BLOCKED | SHOWS_WAKERS, .create = chrome_sink_create},
	{NAME("flamegraph"), .note = "flame graph on a web page", .wants = OF_STACKS,
	 .snapshots = true, .is_page = true, .shows = SHOWS_WEIGHTS,
	 .create = flamegraph_sink_create},
	{NAME("html"), .note = "timeline, calls, stacks and processes on a web page",
	 .wants = OF_THREADS, .needs_output = true, .is_page = true,
	 .shows = SHOWS_SPELLING | SHOWS_VALUES | SHOWS_BLOCKED | SHOWS_WAKERS,
	 .create = html_sink_create},
};

/* The formats that only --tui uses. They are not documented for users. */
static const struct sink_format inner[] = {
	{NAME("rows"), .on_screen = true, .wants = OF_THREADS, .by_event = true, .early = true,
	 .shows = SHOWS_SPELLING | SHOWS_VALUES | SHOWS_LINES, .create = rows_sink_create},
	{NAME("call"), .on_screen = true, .wants = OF_STACKS, .by_event = true,
	 .shows = SHOWS_SPELLING | SHOWS_VALUES | SHOWS_LINES, .create = rows_sink_create},
	{NAME("processes"), .wants = OF_THREADS | WANTS_COMMAND,
	 .shows = SHOWS_SPELLING | SHOWS_VALUES | SHOWS_LINES, .create = processes_sink_create},
};

const struct sink_format *sink_format_next(const struct sink_format *prev)
{
	const struct sink_format *next = prev ? prev + 1 : formats;

	return next < formats + ARRAY_SIZE(formats) ? next : NULL;
}

const struct sink_format *sink_format_find(const char *name)
{
	const struct sink_format *f = NULL;

	while ((f = sink_format_next(f)) && strcasecmp(f->name, name))
		;
	for (size_t i = 0; !f && i < ARRAY_SIZE(inner); i++)
		if (!strcmp(inner[i].name, name))
			f = &inner[i];
	return f;
}

unsigned sink_format_wants(const struct sink_format *format, const struct sink_config *config)
{
	unsigned wants = format->wants;

	if (format->create == text_create)
		wants |= text_sink_wants(config->text);
	if (config->stacks_once)
		wants |= WANTS_RUN;
	return wants;
}
