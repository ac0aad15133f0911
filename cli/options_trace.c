/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks which options can be used with --write-trace and --read-trace, and applies the settings
 * recorded in a trace.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/format/meta.h"
#include "trace/play/player.h"
#include "trace/play/trace.h"
#include "cli/options.h"
#include "cli/options_seen.h"
#include "linux/arch/arch.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/msg.h"

/* Rejects options that cannot be used with the option `name`. `with` is its WITH_ bit. */
static void refuse(const struct options *o, const struct seen *seen, unsigned with,
		   const char *name)
{
	const char *option = options_conflict(o, seen, with);

	if (option)
		die("%s cannot be used with %s", option, name);
}

/* Rejects options that need a trace. */
static void refuse_reading(const struct options *o)
{
	const struct {
		const char *option;
		bool given;
	} options[] = {
		{"--from", o->from},	     {"--to", o->to},	  {"--sysroot", o->player.sysroot},
		{"--timezone", o->timezone}, {"--diff", o->diff}, {"--symbolize", o->symbolize},
		{"--info", o->info},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			die_usage("%s requires --read-trace=FILE", options[i].option);
}

/* Rejects --record-stacks with --read-trace or without --write-trace. */
static void refuse_recording(const struct options *o, const struct seen *seen)
{
	if (seen->record_stacks && o->read_traces.n)
		die("--record-stacks cannot be used with --read-trace");
	if (seen->record_stacks && !o->write_trace)
		die_usage("--record-stacks requires --write-trace");
}

static void check_write(struct options *o, const struct seen *seen)
{
	o->print_recorded = !o->text.limits.last && !seen->q_short && !seen->q_long;
	o->record_only = !o->text.path && !o->summarize && !seen->format && !o->blocked_ns &&
			 !o->fd_report && !o->critical_path && !o->files && !o->execs && !o->learn;
}

/*
 * Sets the time zone for times of day to the zone given by --timezone or, by default, to the
 * recording's zone.
 */
static void take_zone(const struct options *o, const struct trace_meta *m)
{
	char *zone = o->timezone ? mem_strdup(o->timezone) : meta_zone(m);

	if (!zone)
		return;
	setenv("TZ", zone, 1);
	free(zone);
	tzset();
}

/* Limits -s to the string limit of the recording. Longer strings are truncated in the trace. */
static void take_strings(struct options *o, const struct trace_meta *m)
{
	uint64_t kept = meta_get_number(m, "strings", o->diff ? 256 : UINT64_MAX);

	if (o->decode.string_limit <= kept)
		return;
	if (!o->diff)
		msg("-s/--string-limit: the trace has only the first %llu bytes of each string",
		    (unsigned long long)kept);
	o->decode.string_limit = (unsigned)kept;
}

/*
 * Parses seconds with up to nine decimals and stores them in *ns, in nanoseconds. Returns false if
 * `text` is invalid.
 */
static bool parse_seconds(const char *text, int64_t *ns)
{
	int64_t n = 0, unit = NSEC_PER_SEC;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *p - '0', &n))
			return false;
	if (p == text || __builtin_mul_overflow(n, NSEC_PER_SEC, &n))
		return false;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && unit > 1; p++)
			n += (*p - '0') * (unit /= 10);
	*ns = n;
	return !*p;
}

/*
 * Parses a time and stores it in *ns. The time is SECONDS since 1970, in the format of -ttt, or
 * +SECONDS since the start of the trace. If `text` is NULL, leaves *ns unchanged. If `text` is
 * invalid, ends the program with a message.
 */
static void take_time(const char *option, const char *text, int64_t began, int64_t *ns)
{
	bool relative = text && *text == '+';

	if (text && (!parse_seconds(text + relative, ns) ||
		     (relative && __builtin_add_overflow(*ns, began, ns))))
		die_usage("invalid --%s argument: '%s'", option, text);
}

void options_trace_span(struct options *o)
{
	int64_t began = trace_began(o->trace);

	o->player.to = INT64_MAX;
	o->player.early = o->format->early;
	take_time("from", o->from, began, &o->player.from);
	take_time("to", o->to, began, &o->player.to);
}

/* Copies the command from the first trace, to be shown in titles. */
static void take_command(struct options *o, const struct trace_meta *m)
{
	vec_for_each (&m->pairs, p)
		if (!strcmp(p->name, "command"))
			*vec_push(&o->words) = p->text;
}

static void take_meta(struct options *o, const char *path, const struct trace_meta *m)
{
	struct foreign arch = meta_get(m, "arch");
	struct strbuf name = {0};
	const struct {
		const char *option;
		bool given;
		const char *pair; /* name of the META pair that says if the option was given */
		uint64_t in_old;  /* value in traces of versions that did not write the pair */
	} recorded[] = {
		{"-e read=", o->dump_read.members.n || o->dump_read.inverted, "dump-read", 1},
		{"-e write=", o->dump_write.members.n || o->dump_write.inverted, "dump-write", 1},
		{"--secontext", o->secontext, "secontext", 0},
		{"--io-uring=on", o->io_uring, "io-uring", 0},
	};

	if (foreign_given(arch) && !foreign_is(arch, arch_native->name)) {
		escape_foreign(&name, arch);
		die("%s: recorded on %s, which this %s does not support", path, strbuf_str(&name),
		    msg_program());
	}
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
		if (recorded[i].given && !meta_get_number(m, recorded[i].pair, recorded[i].in_old))
			die("%s cannot be used with this trace, which was recorded without it",
			    recorded[i].option);
	o->capture.follow |= meta_get_number(m, "follow", 1) != 0;
	if (!o->trace_command)
		o->trace_command = (pid_t)(meta_get_number(m, "started", 0) & INT32_MAX);
	take_strings(o, m);
}

static const struct engine reader = {"trace", PLAYER_CAPABILITIES, NULL},
			   with_stacks = {"trace", PLAYER_CAPABILITIES_STACKS, NULL},
			   with_raw = {"trace", PLAYER_CAPABILITIES_RAW, NULL};

static struct trace *open_one(struct options *o, const char *path)
{
	struct trace *t = trace_open(path);

	if (!t)
		exit(1);
	if (!meta_get_number(trace_meta(t), "stacks", 0))
		o->engine = &reader;
	else if (meta_get_number(trace_meta(t), "raw-stacks", 0) && o->engine == &with_stacks)
		o->engine = &with_raw;
	take_meta(o, path, trace_meta(t));
	return t;
}

/* Rejects options that cannot be used with --diff. */
static void check_diff(struct options *o, struct seen *seen)
{
	static const char *const forms[] = {
		[DIFF_TEXT] = "text", [DIFF_JSON] = "json", [DIFF_FOLDED] = "folded"};
	size_t form = 0;

	refuse(o, seen, WITH_DIFF, "--diff");
	while (form < ARRAY_SIZE(forms) && strcmp(forms[form], o->format->name))
		form++;
	if (form == ARRAY_SIZE(forms))
		die("%s cannot be used with --diff", o->format->option);
	o->diff_form = (enum diff_form)form;
	o->format = sink_format_next(NULL);
	o->wakers = o->diff_form != DIFF_FOLDED;
	/*
	 * Compare environment variables and arguments of commands in full, and other strings up to
	 * the recorded length.
	 */
	if (syscall_set_is_full(&seen->abbrev))
		syscall_set_parse(&seen->abbrev, "!execve,execveat");
	o->decode.fd_details |= FD_PATH;
	o->diff_strings = o->decode.string_limit;
	o->decode.string_limit = UINT16_MAX;
}

/* Rejects --io-uring=on if the requests of the traces were recorded in different ways. */
static void check_requests(const struct options *o)
{
	const uint64_t first = meta_get_number(trace_meta(o->trace), "io-uring", 0);

	vec_for_each (&o->traces, t)
		if (o->io_uring && meta_get_number(trace_meta(*t), "io-uring", 0) != first)
			die("--io-uring=on cannot be used with traces that different engines "
			    "recorded");
}

/* Rejects syscalls that exist only on other machines. Only a trace can contain them. */
static void check_native(const struct options *o, const struct seen *seen)
{
	const struct syscall_set *sets[] = {&o->filter.trace, &seen->abbrev, &seen->verbose,
					    &seen->raw};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		syscall_set_check_native(sets[i]);
}

void options_trace_check(struct options *o, struct seen *seen)
{
	refuse_recording(o, seen);
	if (o->write_trace && !o->read_traces.n)
		check_write(o, seen);
	if (!o->read_traces.n) {
		check_native(o, seen);
		refuse_reading(o);
		return;
	}
	refuse(o, seen, WITH_READ_TRACE, "--read-trace");
	o->engine = &with_stacks;
	if (o->diff)
		check_diff(o, seen);
	if (o->symbolize)
		refuse(o, seen, WITH_SYMBOLIZE, "--symbolize");
	if (o->info)
		refuse(o, seen, WITH_INFO, "--info");
	vec_for_each (&o->read_traces, path) {
		struct trace *t = open_one(o, *path);

		*vec_push(&o->traces) = t;
	}
	o->trace = o->traces.v[0];
	check_requests(o);
	if (o->diff)
		o->diff_trace = open_one(o, o->diff);
	/* Show pids, as -f does, so that the events of several traces can be distinguished. */
	o->capture.follow |= o->traces.n > 1;
	take_zone(o, trace_meta(o->trace));
	take_command(o, trace_meta(o->trace));
	o->player.ids = o->pids.v;
	o->player.nids = o->pids.n;
	options_trace_span(o);
}
