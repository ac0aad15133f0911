/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/wants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/plan.h"
#include "trace/record/recorder.h"
#include "decode/core/plan_types.h"
#include "decode/io/dump.h"
#include "decode/net/packets.h"
#include "event/find.h"
#include "event/sched.h"
#include "linux/arch/arch.h"
#include "linux/row_finder.h"
#include "query/bounds.h"
#include "query/calls.h"
#include "query/group.h"
#include "query/registers.h"
#include "session/state.h"
#include "uring/ops.h"
#include "util/msg.h"
#include "util/strbuf.h"

/* Maximum size in bytes of a buffer to collect for -e read= or -e write=. */
#define DUMP_MAX 65536
#define TEXT_MAX 65536
/*
 * Maximum number of bytes to collect for data that decoding functions read by themselves, such as
 * messages. If longer strings are shown, their maximum length applies instead.
 */
#define LISTED_MAX 4096

/* The state while the list of calls and their reads is being created. */
struct listing {
	const struct wants *w;
	void (*take)(void *to, const struct wanted_call *call);
	void *to;
	/*
	 * The limits for calls with abbreviated values, for calls with full values (-v), and for
	 * execve(2) if a trace is written or command_limit is set.
	 */
	struct plan_limits limits[3];
	struct wanted_call call;
	const struct abi *abi;
	unsigned mode;	   /* the row's mode (enum decode_mode) */
	unsigned compared; /* number of calls of the native ABI that have conditions */
};

/*
 * Returns the limits for a call. `least` is the minimum number of bytes to collect for each string.
 */
static struct plan_limits limits_of(const struct decode_config *config, bool full, uint32_t least)
{
	const uint32_t shown = size_min(size_max(config->string_limit, least), TEXT_MAX - 1) + 1;
	const bool dumped = config->dump_read || config->dump_write;

	return (struct plan_limits){.bytes = {[PLAN_WHOLE] = TEXT_MAX,
					      [PLAN_PATH] = 4096,
					      [PLAN_TEXT] = shown,
					      [PLAN_DATA] = dumped ? DUMP_MAX : shown,
					      [PLAN_ELEMENTS] = TEXT_MAX,
					      [PLAN_LISTED] = size_max(shown, LISTED_MAX)},
				    .elements = full ? UINT32_MAX : shown,
				    .depth = PLAN_DEPTH_MAX,
				    .full = full};
}

static bool is_fd(const struct type *t)
{
	return t->ops == &type_fd;
}

static bool may_be_fd(const struct type *t)
{
	return is_fd(t) || (t->ops == &type_named && is_fd(t->elem));
}

/*
 * Returns true if a result may be a descriptor. Also returns true if the type of the result depends
 * on the arguments. Collecting data about a result that is not a descriptor costs little.
 */
static bool may_return_fd(const struct type *t)
{
	return is_fd(t) || (t->ops == &type_fn && t->flags & TYPE_F_RESULT);
}

static bool is_pair(const struct type *t)
{
	return t->ops == &type_array && is_fd(t->elem) && t->len.from == LEN_CONST && t->len.n == 2;
}

/*
 * Returns which arguments of a syscall may be descriptors, and whether its result may be one, in
 * the format of `fds` in struct wanted_call.
 */
static unsigned fds_of(const struct syscall_desc *desc)
{
	unsigned reg = 0, fds = may_return_fd(&desc->ret) ? WANTED_RESULT : 0;

	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct arg_desc *arg = &desc->args[i];

		if (arg->phase == PHASE_HOOK_ENTER || arg->phase == PHASE_HOOK_EXIT)
			continue;
		if (arg->reg)
			reg = arg->reg - 1u;
		if (may_be_fd(&arg->type) && reg < SYSCALL_ARGS_MAX)
			fds |= 1u << reg;
		if (is_pair(&arg->type) && reg < SYSCALL_ARGS_MAX)
			fds |= WANTED_PAIR(reg);
		if (arg->watch == WATCH_POLLFDS)
			fds |= WANTED_POLLFDS(reg);
		if (arg->watch == WATCH_FD_SET)
			fds |= WANTED_FD_SETS;
		reg++;
	}
	return fds;
}

/* Completes l->call with the reads and the descriptors of desc, and passes it to the engine. */
static void take(struct listing *l, const struct syscall_desc *desc)
{
	struct plans *plans = l->w->session->decode.plans;

	l->call.enter = l->call.leave = NULL;
	l->call.fds = 0;
	if (desc && l->w->wants.fds == WANTED_ALL_FDS)
		l->call.fds = fds_of(desc);
	else if (desc && net_moves_packets(desc))
		l->call.fds = 1 << 0;
	if (l->w->wants.counts)
		desc = NULL;
	l->call.reread = desc && l->w->session->decode.dump_write && dump_is_of_sent(desc);
	if (desc && (l->call.reread || !(l->mode & (DECODE_NO_DEREF | DECODE_RAW)))) {
		l->call.enter = plans_get(plans, desc, l->abi, false);
		l->call.leave = plans_get(plans, desc, l->abi, true);
	}
	l->take(l->to, &l->call);
}

/*
 * Adds the memory that sigreturn and similar calls read from the stack. Only the signal mask in
 * that memory is shown. Returns false if desc is not such a call.
 */
static bool take_signal_return(struct listing *l, const struct syscall_desc *desc)
{
	const struct abi *abi = l->abi;
	struct plan *plan;
	unsigned end = 0;

	if (desc == &syscall_descs[ROW_rt_sigreturn])
		end = abi->rt_frame_mask + 8u;
	else if (desc == &syscall_descs[ROW_sigreturn])
		end = 4 + size_max(abi->frame_mask[0], abi->frame_mask[1]);
	if (!end)
		return false;
	plan = mem_zalloc(sizeof(*plan));
	plan->whole = true;
	plan_add(plan, (struct plan_op){.place = PLAN_ARGUMENT,
					.arg = WANTED_SP,
					.parent = -1,
					.unit = 1,
					.count = {.source = PLAN_CONSTANT, .n = end}});
	l->call.enter = plan;
	l->call.leave = NULL;
	l->take(l->to, &l->call);
	free(plan);
	return true;
}

static void list_variants(struct listing *l, const struct syscall_desc *desc)
{
	const struct variants *v = desc->variants;
	struct row_finder *rows = l->w->session->rows;

	l->call.variant = true;
	l->call.reg = v->key->reg;
	l->call.mask = v->mask ? v->mask : UINT32_MAX;
	for (unsigned i = 0; i < v->n; i++) {
		uint64_t args[SYSCALL_ARGS_MAX] = {0};

		if (!variant_value(rows, v, &v->rows[i], l->abi, &l->call.value))
			continue;
		args[l->call.reg] = l->call.value;
		l->call.any_size = v->rows[i].grows_from;
		take(l, row_finder_select(rows, desc, l->abi, args));
	}
	l->call.variant = l->call.any_size = false;
}

/*
 * Returns true if a call may be shown, is recorded, or is needed by --fail-on, --stop-on or
 * --wakers.
 */
static bool is_wanted(const struct wants *w, const struct abi *abi, unsigned nr)
{
	return w->session->o->write_trace || syscall_set_has(&w->trace, abi, nr);
}

static enum wanted_args args_of(const struct abi *abi, unsigned nr, int row)
{
	if (abi_takes_block(abi, nr))
		return WANTED_AT_ARG_0;
	if (row == ROW_socketcall)
		return WANTED_AT_ARG_1;
	return row == ROW_ipc ? WANTED_SHIFTED : WANTED_IN_REGISTERS;
}

/* Returns true if the session needs a call even if the call is not shown. */
static bool is_needed(const struct options *o, const struct abi *abi, unsigned nr)
{
	const int row = abi_row(abi, nr);

	return row >= 0 && (syscall_descs[row].flags & SYSCALL_F_EXECVE ||
			    (o->io_uring && o->stacks && row == ROW_io_uring_enter) ||
			    (o->stacks && syscall_desc_mm(&syscall_descs[row]) != MM_NONE));
}

/* Sets the conditions on the arguments of a call that --where implies. */
static void set_conditions(struct listing *l)
{
	struct query_registers found;

	l->call.nconditions = 0;
	if (!l->w->compares || l->mode & DECODE_RAW || l->call.args != WANTED_IN_REGISTERS ||
	    l->call.renames || is_needed(l->w->session->o, l->abi, l->call.nr))
		return;
	query_registers(l->w->session->o->filter.where, l->abi,
			abi_kernel_number(l->abi, l->call.nr), &found);
	for (size_t i = 0; i < found.n && i < WANTED_ARGUMENTS_MAX; i++) {
		const struct query_register *r = &found.of[i];

		l->call.conditions[l->call.nconditions++] =
			(struct wanted_argument){r->reg, r->mask, r->min, r->span, r->bits};
	}
	l->compared += l->call.nconditions && l->abi == abi_native();
}

static void list_call(struct listing *l, unsigned nr)
{
	const struct session *s = l->w->session;
	const struct options *o = s->o;
	const int row = abi_row(l->abi, nr);
	const struct syscall_desc *desc = row < 0 ? NULL : &syscall_descs[row];

	l->call.nr = nr;
	l->call.args = args_of(l->abi, nr, row);
	/*
	 * Record the stack of io_uring_enter(), because the requests that it submits have the same
	 * stack.
	 */
	l->call.stack = o->stacks && (is_wanted(l->w, l->abi, nr) || row == ROW_io_uring_enter);
	l->call.bytes = desc && event_moves_bytes(desc->name);
	l->call.new_program = row >= 0 && syscall_descs[row].flags & SYSCALL_F_EXECVE;
	l->call.renames = row == ROW_prctl;
	l->call.drops = l->w->wants.drops && !l->call.renames && !is_needed(o, l->abi, nr);
	l->call.no_args =
		desc && !desc->nargs && !desc->variants && !(desc->flags & SYSCALL_F_NO_REGS);
	l->mode =
		row >= 0 && s->decode.per_syscall && !o->write_trace
			? s->decode.per_syscall[l->abi->index * syscall_desc_count + (unsigned)row]
			: 0;
	l->call.limits = &l->limits[l->mode & DECODE_FULL ? 1 : 0];
	if (desc && desc->flags & SYSCALL_F_EXECVE && (o->write_trace || o->decode.command_limit))
		l->call.limits = &l->limits[2];
	if (row >= 0 && abi_is_foreign(l->abi, nr | l->abi->nr_mask))
		desc = NULL;
	l->call.no_args &= desc != NULL;
	l->call.nconditions = 0;
	if (desc)
		set_conditions(l);
	if (desc && take_signal_return(l, desc))
		return;
	take(l, desc);
	if (desc && desc->variants && !(l->mode & (DECODE_NO_DEREF | DECODE_RAW)))
		list_variants(l, desc);
}

static void list_request(struct listing *l, uint8_t opcode)
{
	const struct session *s = l->w->session;
	struct uring_place places[SYSCALL_ARGS_MAX];
	const unsigned row = uring_places(opcode, places);

	/*
	 * A recording must contain all requests, because a reader of the trace may show all of
	 * them.
	 */
	if (!s->o->write_trace && !syscall_set_has_request(&l->w->trace, row))
		return;
	l->mode = s->decode.per_syscall && !s->o->write_trace
			  ? s->decode.per_syscall[l->abi->index * syscall_desc_count + row]
			  : 0;
	l->call = (struct wanted_call){.abi = l->abi->index,
				       .nr = opcode,
				       .limits = &l->limits[l->mode & DECODE_FULL ? 1 : 0],
				       .request = true};
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		l->call.places[i] = (struct wanted_place){places[i].offset, places[i].size};
	take(l, &syscall_descs[row]);
}

static void list(const struct capture_wants *wants,
		 void (*take)(void *to, const struct wanted_call *call), void *to)
{
	struct listing l = {.w = (const struct wants *)wants, .take = take, .to = to};
	const struct options *o = l.w->session->o;
	const uint32_t least = o->write_trace ? RECORD_STRINGS : 0;

	l.limits[0] = limits_of(&l.w->session->decode, o->write_trace, least);
	l.limits[1] = limits_of(&l.w->session->decode, true, least);
	l.limits[2] = limits_of(&l.w->session->decode, true, COMMAND_STRINGS);
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		if (abis[i].arch != arch_native)
			continue;
		l.abi = &abis[i];
		l.call.abi = i;
		for (unsigned nr = 0; nr < SYSCALL_SET_MAX; nr++)
			if (is_wanted(l.w, l.abi, nr) || is_needed(o, l.abi, nr))
				list_call(&l, nr);
	}
	l.abi = abi_native();
	if (o->debug && l.compared)
		msg("--engine=bpf: arguments of %u of %u syscall numbers of %s are compared in the "
		    "kernel",
		    l.compared, SYSCALL_SET_MAX, l.abi->name);
	for (unsigned opcode = 0; o->io_uring && opcode <= UINT8_MAX; opcode++)
		list_request(&l, (uint8_t)opcode);
}

/* Returns true if any call that sends or receives packets is shown. */
static bool wants_packets(const struct wants *w)
{
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned nr = 0; abis[i].arch == arch_native && nr < SYSCALL_SET_MAX; nr++) {
			const int row = abi_row(&abis[i], nr);

			if (row >= 0 && net_moves_packets(&syscall_descs[row]) &&
			    is_wanted(w, &abis[i], nr))
				return true;
		}
	}
	return false;
}

/* Returns which descriptors the engine must record. */
static enum wanted_fds wants_fds(const struct wants *w)
{
	const struct options *o = w->session->o;

	if (w->wants.counts)
		return WANTED_NO_FDS;
	if (o->decode.fd_details || o->decode.query_details || filter_by_path(&o->filter) ||
	    o->write_trace)
		return WANTED_ALL_FDS;
	return wants_packets(w) ? WANTED_PACKETS : WANTED_NO_FDS;
}

/*
 * Returns the bits of enum wanted_counts for counting calls by this field, or 0 if the engine
 * cannot count by the field.
 */
static unsigned count_by(const char *field)
{
	static const struct {
		const char *field;
		unsigned by;
	} fields[] = {
		{"name", WANTED_COUNTS},       {"abi", WANTED_COUNTS},
		{"pid", WANTED_BY_PROCESS},    {"tid", WANTED_BY_THREAD},
		{"error", WANTED_BY_ERROR},    {"exe", WANTED_BY_PROGRAM},
		{"cgroup", WANTED_BY_PROGRAM},
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(field, fields[i].field))
			return fields[i].by;
	return 0;
}

/*
 * Returns the bits of enum wanted_counts that a summary needs. Returns 0 if counts of calls (struct
 * counts_event) are not sufficient for the summary.
 */
static unsigned counts_of_summary(const struct summary_config *config)
{
	unsigned counts = WANTED_COUNTS;

	if ((config->by != SUMMARY_BY_SYSCALL && config->by != SUMMARY_BY_FIELDS) ||
	    config->overhead_ns || config->sum || summary_is_percentile(config->sort_by) ||
	    (config->hist && strcmp(group_name(config->hist, 0), "duration") != 0))
		return 0;
	for (unsigned i = 0; i < config->column_count; i++)
		if (summary_is_percentile(config->columns[i]))
			return 0;
	for (size_t i = 0; i < group_count(config->group); i++) {
		const unsigned by = count_by(group_name(config->group, i));

		if (!by)
			return 0;
		counts |= by;
	}
	return counts | (config->hist ? WANTED_OCTAVES : 0);
}

/*
 * Returns true if no option needs calls that the filters drop. The engine then has to collect only
 * the calls that will be shown.
 */
static bool needs_only_shown(const struct options *o)
{
	return !o->write_trace && !o->assertions.n && !o->wakers && !o->filter.sources.n &&
	       !o->fd_report && !o->critical_path && !o->files && !o->execs && !o->learn &&
	       !o->blocked_ns && !o->io_uring;
}

/*
 * Returns true if counts are sufficient for the output: the table of -c or of --live. With --live,
 * the engine also lists who woke the threads, so --wakers needs no calls.
 */
static bool shows_only_counts(const struct options *o)
{
	if (o->live_ns)
		return !o->infer_wakers && !o->filter.sources.n;
	return o->summary_only && needs_only_shown(o);
}

/*
 * If only counts of calls are shown (-c, --live) and calls are selected only by their numbers or
 * names, returns bits of enum wanted_counts. Otherwise returns 0.
 */
static unsigned counts_of(const struct options *o)
{
	const struct filter *f = &o->filter;

	if (!shows_only_counts(o) || o->stacks || o->syscall_limit || o->conditions ||
	    (f->where && !query_is_by_call(f->where)) || f->fds || filter_by_path(f) ||
	    filter_holds(f))
		return 0;
	if (o->live_ns)
		return WANTED_COUNTS | WANTED_BY_PROCESS | WANTED_BY_THREAD | WANTED_BYTES |
		       WANTED_REPEATED;
	return counts_of_summary(&o->summary);
}

/* Sets which results the engine must record. */
static void set_results(struct capture_wants *w, const struct options *o)
{
	struct query_bounds b;

	filter_bounds(&o->filter, &b);
	w->drops = needs_only_shown(o) && !query_bounds_contain_all(&b);
	w->results = (struct wanted_results){b.fails,	b.succeeds, b.ret_min,
					     b.ret_max, b.ns_min,   b.ns_max};
}

/* Returns the text to write before the next condition of a list. */
static const char *separator(const struct strbuf *conditions)
{
	return conditions->len ? " && " : "";
}

/* With -d, prints which part of the filters and of the summary the engine applies in the kernel. */
static void report_pushed(const struct capture_wants *w)
{
	const struct wanted_results *r = &w->results;
	/* The bounds of results apply only to calls that succeed. */
	const char *or_fails = r->fails ? "(error || ret" : "(ret";
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	if (w->counts)
		msg("--engine=bpf: calls are counted in the kernel");
	if (!w->drops)
		return;
	if (!r->fails)
		strbuf_puts(&b, "!error");
	if (!r->succeeds)
		strbuf_printf(&b, "%serror", separator(&b));
	if (r->succeeds && r->ret_min != INT64_MIN)
		strbuf_printf(&b, "%s%s >= %" PRId64 ")", separator(&b), or_fails, r->ret_min);
	if (r->succeeds && r->ret_max != INT64_MAX)
		strbuf_printf(&b, "%s%s <= %" PRId64 ")", separator(&b), or_fails, r->ret_max);
	if (r->ns_min)
		strbuf_printf(&b, "%sduration >= %" PRIu64 "ns", separator(&b), r->ns_min);
	if (r->ns_max != UINT64_MAX)
		strbuf_printf(&b, "%sduration <= %" PRIu64 "ns", separator(&b), r->ns_max);
	msg("--engine=bpf: calls are dropped in the kernel unless %s", strbuf_str(&b));
}

/* Returns which context switches the engine must report. */
static enum wanted_sched sched_of(const struct options *o)
{
	if (options_show_sched(o))
		return WANTED_SCHED_ALL;
	if ((o->wakers && !o->infer_wakers) || o->write_trace || options_need_off_cpu(o))
		return WANTED_SCHED_CALLS;
	return WANTED_SCHED_NONE;
}

const struct capture_wants *wants_of(struct wants *w, struct session *s)
{
	*w = (struct wants){
		.wants = {.list = list,
			  .unlisted = s->o->write_trace || s->o->filter.trace.beyond,
			  .stacks = s->o->stacks,
			  .requests = s->o->io_uring,
			  .counts = counts_of(s->o),
			  .running = s->o->live_ns,
			  .sched = sched_of(s->o),
			  .faults = filter_source(&s->o->filter, FAULT_SOURCE),
			  .needs_sched = options_need_off_cpu(s->o) || options_show_sched(s->o)},
		.session = s,
		.trace = s->o->filter.trace,
	};
	options_add_watched(s->o, &w->trace);
	w->wants.unlisted |= w->trace.beyond;
	syscall_set_add_outer(&w->trace);
	w->wants.fds = wants_fds(w);
	set_results(&w->wants, s->o);
	if (s->o->live_ns && w->wants.counts) {
		w->wants.sched = WANTED_SCHED_NONE;
		w->wants.wakers = true;
	}
	w->compares = s->o->filter.where && needs_only_shown(s->o);
	/*
	 * Print this only for engines with buffers, because only these engines use struct
	 * capture_wants.
	 */
	if (s->o->debug && !s->o->trace && s->o->engine->capabilities & CAPTURE_BUFFERS)
		report_pushed(&w->wants);
	return &w->wants;
}
