/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the options that strace does not have. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "trace/play/merger.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/options_seen.h"
#include "cli/options_value.h"
#include "util/msg.h"
#include "util/suggestion.h"

/* --output-limit: the default number of files (FILE, FILE.1, FILE.2 and FILE.3). */
#define LOG_FILES 4

enum {
	OPT_FORMAT,
	OPT_STACK_STYLE,
	OPT_BLOCKED,
	OPT_DURATION,
	OPT_STOP_AFTER,
	OPT_SUMMARY_BY,
	OPT_TOP,
	OPT_TREE,
	OPT_FD_REPORT,
	OPT_LAST,
	OPT_OUTPUT_LIMIT,
	OPT_SNAPSHOT,
	OPT_WEIGHT,
	OPT_JSON_STACKS,
	OPT_VERIFY_STACKS,
	OPT_NATIVE_FRAMES,
	OPT_DEBUGINFOD,
	OPT_WAIT_SPIN,
	OPT_LIST_SYSCALLS,
	OPT_ENGINE,
	OPT_BUFFER_SIZE,
	OPT_STACK_SIZE,
	OPT_CGROUP,
	OPT_ALL,
	OPT_CONTAINER,
	OPT_UNWINDER,
	OPT_WRITE_TRACE,
	OPT_RECORD_STACKS,
	OPT_READ_TRACE,
	OPT_FROM,
	OPT_TO,
	OPT_SYSROOT,
	OPT_TIMEZONE,
	OPT_DIFF,
	OPT_SYMBOLIZE,
	OPT_INFO,
	OPT_WHERE,
	OPT_VDSO,
	OPT_IO_URING,
	OPT_GROUP_BY,
	OPT_SUM,
	OPT_HIST,
	OPT_FAIL_ON,
	OPT_STOP_ON,
	OPT_REPORT,
	OPT_WAKERS,
	OPT_CRITICAL_PATH,
	OPT_FILES,
	OPT_EXECS,
	OPT_STRINGS,
	OPT_LEARN,
	OPT_TUI,
	OPT_EVENTS,
	OPT_LIVE,
};

/*
 * These options cannot be abbreviated. Therefore every abbreviation that is unambiguous in strace
 * is also unambiguous here.
 */
static const struct option own_options[] = {
	{"format", required_argument, 0, OPT_FORMAT},
	{"stack-trace-style", required_argument, 0, OPT_STACK_STYLE},
	{"blocked", optional_argument, 0, OPT_BLOCKED},
	{"duration", required_argument, 0, OPT_DURATION},
	{"stop-after", required_argument, 0, OPT_STOP_AFTER},
	{"summary-by", required_argument, 0, OPT_SUMMARY_BY},
	{"top", required_argument, 0, OPT_TOP},
	{"tree", no_argument, 0, OPT_TREE},
	{"fd-report", no_argument, 0, OPT_FD_REPORT},
	{"last", required_argument, 0, OPT_LAST},
	{"output-limit", required_argument, 0, OPT_OUTPUT_LIMIT},
	{"snapshot", no_argument, 0, OPT_SNAPSHOT},
	{"weight", required_argument, 0, OPT_WEIGHT},
	{"events", required_argument, 0, OPT_EVENTS},
	{"json-stacks", required_argument, 0, OPT_JSON_STACKS},
	{"verify-stacks", no_argument, 0, OPT_VERIFY_STACKS},
	{"native-frames", no_argument, 0, OPT_NATIVE_FRAMES},
	{"debuginfod", no_argument, 0, OPT_DEBUGINFOD},
	{"wait-spin", required_argument, 0, OPT_WAIT_SPIN},
	{"list-syscalls", no_argument, 0, OPT_LIST_SYSCALLS},
	{"engine", required_argument, 0, OPT_ENGINE},
	{"buffer-size", required_argument, 0, OPT_BUFFER_SIZE},
	{"stack-size", required_argument, 0, OPT_STACK_SIZE},
	{"cgroup", required_argument, 0, OPT_CGROUP},
	{"all", no_argument, 0, OPT_ALL},
	{"container", required_argument, 0, OPT_CONTAINER},
	{"unwinder", required_argument, 0, OPT_UNWINDER},
	{"write-trace", required_argument, 0, OPT_WRITE_TRACE},
	{"record-stacks", required_argument, 0, OPT_RECORD_STACKS},
	{"read-trace", required_argument, 0, OPT_READ_TRACE},
	{"from", required_argument, 0, OPT_FROM},
	{"to", required_argument, 0, OPT_TO},
	{"sysroot", required_argument, 0, OPT_SYSROOT},
	{"timezone", required_argument, 0, OPT_TIMEZONE},
	{"diff", required_argument, 0, OPT_DIFF},
	{"symbolize", required_argument, 0, OPT_SYMBOLIZE},
	{"info", no_argument, 0, OPT_INFO},
	{"where", required_argument, 0, OPT_WHERE},
	{"vdso", required_argument, 0, OPT_VDSO},
	{"io-uring", required_argument, 0, OPT_IO_URING},
	{"group-by", required_argument, 0, OPT_GROUP_BY},
	{"sum", required_argument, 0, OPT_SUM},
	{"hist", required_argument, 0, OPT_HIST},
	{"fail-on", required_argument, 0, OPT_FAIL_ON},
	{"stop-on", required_argument, 0, OPT_STOP_ON},
	{"report", required_argument, 0, OPT_REPORT},
	{"wakers", optional_argument, 0, OPT_WAKERS},
	{"critical-path", no_argument, 0, OPT_CRITICAL_PATH},
	{"files", optional_argument, 0, OPT_FILES},
	{"execs", optional_argument, 0, OPT_EXECS},
	{"strings", required_argument, 0, OPT_STRINGS},
	{"learn", required_argument, 0, OPT_LEARN},
	{"tui", no_argument, 0, OPT_TUI},
	{"live", optional_argument, 0, OPT_LIVE},
	{0, 0, 0, 0},
};

/* Like option_bad() for --format=, but also suggests the closest format. */
static void attr_noreturn bad_format(const char *value)
{
	struct suggestion s = {.word = value};

	for (const struct sink_format *f = sink_format_next(NULL); f; f = sink_format_next(f))
		suggestion_consider(&s, f->name);
	if (!s.name)
		option_bad(0, "format", value);
	suggestion_hint(&s);
	die_usage("invalid --format argument: '%s'", value);
}

/* Parses a time other than 0. The default unit is seconds. Returns -1 if the time is invalid. */
static int64_t parse_time(const char *value)
{
	int64_t ns = duration_parse(value, 1000000000);

	return ns > 0 ? ns : -1;
}

/* Parses the argument of --duration, [MIN][,MAX]. Returns false if the argument is invalid. */
static bool parse_duration(struct filter *f, const char *value)
{
	size_t len = strcspn(value, ",");
	attr_cleanup(mem_free_ptr) char *min = mem_strndup(value, len);
	const char *max = value[len] ? value + len + 1 : NULL;
	int64_t min_ns = 0, max_ns = INT64_MAX;

	if (!*min && !(max && *max))
		return false;
	if (*min)
		min_ns = duration_parse(min, 1000000000);
	if (max && *max)
		max_ns = parse_time(max);
	if (min_ns < 0 || min_ns > max_ns)
		return false;
	filter_set_duration(f, (uint64_t)min_ns, (uint64_t)max_ns);
	return true;
}

/* Parses the argument of --output-limit, SIZE[,FILES]. Returns false if the argument is invalid. */
static bool parse_output_limit(struct log_limits *l, const char *value)
{
	const size_t len = strcspn(value, ",");
	attr_cleanup(mem_free_ptr) char *bytes = mem_strndup(value, len);
	size_t size;

	if (!option_size(bytes, &size))
		return false;
	l->bytes = size;
	l->files = LOG_FILES;
	if (value[len])
		l->files = (unsigned)option_number(0, "output-limit", value + len + 1, 1, 9999);
	return true;
}

static void own_option(struct options *o, struct seen *seen, int c, const char *name, char *value)
{
	int64_t ns;
	int i = 0;

	switch (c) {
	case OPT_FORMAT:
		seen->format = true;
		o->format = sink_format_find(value);
		if (!o->format)
			bad_format(value);
		break;
	case OPT_STACK_STYLE:
		i = CHOICE(value, "block", "line");
		o->text.stack_line = i == 1;
		seen->stack_style = true;
		break;
	case OPT_BLOCKED:
		ns = value ? parse_time(value) : 1000000000;
		i = ns > 0 ? 0 : -1;
		o->blocked_ns = ns;
		break;
	case OPT_DURATION:
		i = parse_duration(&o->filter, value) ? 0 : -1;
		break;
	case OPT_STOP_AFTER:
		ns = parse_time(value);
		i = ns > 0 ? 0 : -1;
		o->stop_after_ns = ns;
		break;
	case OPT_VDSO:
		i = CHOICE(value, "on", "off");
		o->hide_vdso = i == 1;
		break;
	case OPT_IO_URING:
		i = CHOICE(value, "on", "off");
		o->io_uring = !i;
		break;
	case OPT_SUMMARY_BY:
		i = CHOICE(value, "syscall", "stack", "thread", "process", "path");
		o->summary.by = i;
		break;
	case OPT_TOP:
		o->summary.top = option_number(c, name, value, 1, UINT32_MAX);
		break;
	case OPT_TREE:
		o->tree = true;
		break;
	case OPT_LAST:
		o->text.limits.last = (size_t)option_number(c, name, value, 1, 1 << 30);
		break;
	case OPT_OUTPUT_LIMIT:
		i = parse_output_limit(&o->text.limits, value) ? 0 : -1;
		break;
	case OPT_FD_REPORT:
		o->fd_report = true;
		break;
	case OPT_SNAPSHOT:
		o->snapshot = true;
		break;
	case OPT_WEIGHT:
		i = CHOICE(value, "calls", "time", "errors", "bytes", "blocked", "runnable", "cpu");
		o->weight = i;
		seen->weight = true;
		break;
	case OPT_JSON_STACKS:
		i = CHOICE(value, "inline", "once");
		o->stacks_once = i == 1;
		seen->json_stacks = true;
		break;
	case OPT_VERIFY_STACKS:
		o->unwind.verify = true;
		break;
	case OPT_NATIVE_FRAMES:
		o->unwind.native_frames = true;
		break;
	case OPT_DEBUGINFOD:
		o->unwind.debuginfod = true;
		break;
	case OPT_WAIT_SPIN:
		i = CHOICE(value, "off", "on");
		o->capture.spin = i == 1 ? SPIN_DEFAULT : 0;
		seen->wait_spin = true;
		break;
	case OPT_ENGINE:
		seen->engine = true;
		o->engine = engine_find(value);
		i = o->engine ? 0 : -1;
		break;
	case OPT_BUFFER_SIZE:
		i = option_size(value, &o->capture.buffer_size) ? 0 : -1;
		break;
	case OPT_STACK_SIZE:
		i = option_size(value, &o->capture.stack_size) ? 0 : -1;
		break;
	case OPT_ALL:
		o->all = true;
		o->quiet |= QUIET_ATTACH;
		break;
	case OPT_CGROUP:
		i = *value && o->cgroups.n < CAPTURE_GROUPS_MAX ? 0 : -1;
		*vec_push(&o->cgroups) = value;
		break;
	case OPT_CONTAINER:
		i = atoi(value) > 0 && o->containers.n < CAPTURE_GROUPS_MAX ? 0 : -1;
		*vec_push(&o->containers) = atoi(value);
		break;
	case OPT_UNWINDER:
		/* The names are in the order of enum unwinder_kind. */
		i = CHOICE(value, "auto", "rules", "libunwind");
		o->unwind.unwinder = i;
		seen->unwinder = true;
		break;
	case OPT_WRITE_TRACE:
		i = *value ? 0 : -1;
		o->write_trace = value;
		break;
	case OPT_RECORD_STACKS:
		i = CHOICE(value, "frames", "raw");
		o->raw_stacks = i == 1;
		seen->record_stacks = true;
		break;
	case OPT_READ_TRACE:
		i = *value && o->read_traces.n < MERGER_MAX ? 0 : -1;
		*vec_push(&o->read_traces) = value;
		break;
	case OPT_FROM:
		o->from = value;
		break;
	case OPT_TO:
		o->to = value;
		break;
	case OPT_SYSROOT:
		o->player.sysroot = value;
		break;
	case OPT_TIMEZONE:
		o->timezone = value;
		break;
	case OPT_SYMBOLIZE:
		i = *value ? 0 : -1;
		o->symbolize = value;
		break;
	case OPT_INFO:
		o->info = true;
		break;
	case OPT_DIFF:
		i = *value ? 0 : -1;
		o->diff = value;
		break;
	case OPT_WHERE:
		options_where(o, value);
		break;
	case OPT_GROUP_BY:
	case OPT_SUM:
	case OPT_HIST:
		options_group(o, name, value);
		break;
	case OPT_FAIL_ON:
	case OPT_STOP_ON:
		options_assert(o, value, c == OPT_STOP_ON);
		break;
	case OPT_REPORT:
		i = !strcmp(value, "github") || (!strncmp(value, "junit:", 6) && value[6]) ? 0 : -1;
		o->reports[*value == 'g'] = value;
		break;
	case OPT_EVENTS:
		i = options_events(o, value) ? 0 : -1;
		break;
	case OPT_WAKERS:
		i = value ? EXACT_CHOICE(value, "exact", "inferred") : 0;
		o->wakers = true;
		o->infer_wakers = i == 1;
		break;
	case OPT_CRITICAL_PATH:
		o->critical_path = o->wakers = true;
		break;
	case OPT_FILES:
		i = value ? EXACT_CHOICE(value, "all", "process", "depfile") : 0;
		o->files = true;
		o->files_config.by_process = i == 1;
		o->files_config.format = i == 2 ? FILES_DEPFILE : FILES_TEXT;
		break;
	case OPT_EXECS:
		i = value ? EXACT_CHOICE(value, "parent", "first") : 0;
		o->execs = true;
		o->execs_config.since_first = i == 1;
		break;
	case OPT_STRINGS:
		seen->strings = !strcmp(value, "utf8") ? STRINGS_UTF8 : STRINGS_ESCAPED;
		break;
	case OPT_LEARN:
		o->learn = true;
		o->learn_config.format =
			EXACT_CHOICE(value, "seccomp", "systemd") ? LEARN_SYSTEMD : LEARN_SECCOMP;
		break;
	case OPT_TUI:
		o->tui = true;
		break;
	case OPT_LIVE:
		ns = options_live_interval(value);
		i = ns > 0 ? 0 : -1;
		o->live_ns = ns;
		break;
	case OPT_LIST_SYSCALLS:
		help_syscalls();
		exit(0);
	}
	if (i < 0)
		option_bad(c, name, value);
}

void options_own_suggest(struct suggestion *s)
{
	const size_t len = strlen(s->word);

	for (const struct option *opt = own_options; opt->name; opt++)
		suggestion_consider(s, opt->name);
	/*
	 * The argument may be an abbreviation of an option in own_options. Such abbreviations are
	 * errors. Suggest the full name.
	 */
	for (const struct option *opt = own_options; opt->name && len > 2; opt++)
		if (!strncmp(opt->name, s->word, len))
			s->name = opt->name;
}

bool options_own_next(struct options *o, struct seen *seen, int argc, char **argv)
{
	const char *arg = optind < argc ? option_skip(argv[optind], "--") : NULL;
	const struct option *opt = own_options;
	size_t len = arg ? strcspn(arg, "=") : 0;
	char *value;

	if (arg && !strcmp(arg, "help=all")) {
		help_usage();
		exit(0);
	}
	if (arg && !strcmp(arg, "help=query")) {
		help_query();
		exit(0);
	}
	if (arg && !strncmp(arg, "help=", 5)) {
		help_topic(arg + 5);
		exit(0);
	}
	while (arg && opt->name && (strlen(opt->name) != len || memcmp(opt->name, arg, len)))
		opt++;
	/* With other values, --strings is an abbreviation of strace's --strings-in-hex. */
	if (arg && opt->val == OPT_STRINGS && strcmp(arg + len, "=escaped") != 0 &&
	    strcmp(arg + len, "=utf8") != 0)
		return false;
	if (!arg || !opt->name)
		return false;
	value = arg[len] ? argv[optind] + 2 + len + 1 : NULL;
	optind++;
	if (value && opt->has_arg == no_argument)
		die_usage("option '--%s' doesn't allow an argument", opt->name);
	if (!value && opt->has_arg == required_argument) {
		if (optind == argc)
			die_usage("option '--%s' requires an argument", opt->name);
		value = argv[optind++];
	}
	own_option(o, seen, opt->val, opt->name, value);
	return true;
}
