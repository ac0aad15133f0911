/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* main(): parses the command line, then runs the session. */
#include "config.h"

#include "trace/play/trace.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/start.h"
#include "session/diff.h"
#include "session/info.h"
#include "session/session.h"
#include "session/symbolize.h"
#include "tui/tui.h"
#include "util/msg.h"
#include "util/table.h"

static int symbolize(const struct options *o)
{
	const struct symbolize_config config = {.from = o->read_traces.v[0],
						.to = o->symbolize,
						.sysroot = o->player.sysroot,
						.debuginfod = o->unwind.debuginfod};

	return trace_symbolize(&config);
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	table_seed();
	start_hold_stdio();
	msg_set_program(argv[0]);
	start_refuse_elevated();
	options_parse(&options, argc, argv);
	if (options.symbolize)
		status = symbolize(&options);
	else if (options.info)
		status = session_info(&options);
#ifdef WITH_NCURSES
	else if (options.tui || options.live_view)
		status = tui_main(&options);
#endif
	else
		status = options.diff ? session_diff(&options) : session_run(&options);
	if (options.tip_format)
		help_tip(options.tip, options.tip_format);
	vec_for_each (&options.traces, trace)
		if (trace_close(*trace))
			status = 1;
	if (trace_close(options.diff_trace))
		status = 1;
	options_deinit(&options);
	return status;
}
