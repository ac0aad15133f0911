/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/session.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "capture/capture.h"
#include "cli/engine.h"
#include "trace/play/merger.h"
#include "cli/start.h"
#include "decode/core/plan_types.h"
#include "linux/row_finder.h"
#include "session/emit.h"
#include "session/loop.h"
#include "session/programs.h"
#include "session/record.h"
#include "session/requests.h"
#include "session/snapshot.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/symbols_hint.h"
#include "session/threads.h"
#include "session/wakeups.h"
#include "session/wants.h"
#include "session/watch.h"
#include "tamper/tamper.h"
#include "util/die_by_signal.h"
#include "util/msg.h"
#include "wake/wakes.h"

/* For --kill-on-exit: ends tracing without a message. The tracees die when tracer ends. */
static void leave_all(struct session *s)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, NEWEST_FIRST)) {
		emit_unfinished(s, tcb);
		emit_process(s, tcb, PROCESS_LEFT, 0, false, NULL);
		thread_forget(s, tcb);
	}
}

/*
 * Detaches the command before all other tracees. If a signal interrupted tracer, sends the command
 * the same signal, except with -D or if leaves_command is set in the options.
 */
static void detach_command(struct session *s)
{
	struct tcb *tcb = capture_find(s->capture, s->command);

	if (!tcb)
		return;
	if (s->interrupted && !s->o->daemonize && !s->o->leaves_command) {
		kill(tcb->tid, SIGCONT);
		kill(tcb->tid, s->interrupted);
	}
	thread_detach(s, tcb);
}

/* Detaches all remaining tracees, and reports each detachment. */
static void session_detach(struct session *s)
{
	struct tcb *tcb, *next;

	if (s->o->capture.kill_on_exit) {
		leave_all(s);
		return;
	}
	/*
	 * Ask all threads to stop now. Otherwise, each thread would be asked only when the loop
	 * reaches it, and waiting for one thread after the other could take long.
	 */
	capture_interrupt(s->capture);
	detach_command(s);
	for (tcb = capture_next(s->capture, NULL, NEWEST_FIRST); tcb; tcb = next) {
		next = capture_next(s->capture, tcb, NEWEST_FIRST);
		thread_detach(s, tcb);
	}
}

/* Announces all initial threads to the sinks. Must be called before any of these threads runs. */
static void sinks_start(struct session *s)
{
	for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST); tcb;
	     tcb = capture_next(s->capture, tcb, OLDEST_FIRST))
		thread_begin(s, tcb);
	feed_started(&s->feed);
}

/*
 * Returns the exit status. If a signal ended the command or tracing, tracer kills itself with the
 * same signal, unless there was an error, --fail-on matched, or a trace was read.
 */
static int session_status(const struct session *s)
{
	int sig = s->interrupted;

	if (s->error)
		return 1;
	if (s->failed)
		return FAIL_ON_STATUS;
	/* The exit status of a recorded command does not determine tracer's exit status. */
	if (s->o->trace)
		return 0;
	if (!sig && WIFSIGNALED(s->status))
		sig = WTERMSIG(s->status);
	if (!sig)
		return WEXITSTATUS(s->status);
	die_by_signal(sig);
	return 128 + sig;
}

static struct session *dying;

/* Called by die(). Ends tracing, so that the tracees continue without tracer. */
static void end_tracing(void)
{
	if (dying)
		capture_end(dying->capture);
}

/* Creates the engine that replays the traces. */
static struct capture *traces_open(const struct options *o)
{
	return o->traces.n > 1 ? merger_create(o->traces.v, o->traces.n, &o->player)
			       : player_create(o->trace, &o->player);
}

/*
 * Creates the engine that the options select. Fills in *program, which the engine uses until it is
 * destroyed. On failure, prints a message and returns false.
 */
static bool engine_open(struct session *s, struct sock_fprog *program)
{
	const struct options *o = s->o;
	struct capture_config config = o->capture;
	struct wants wants;

	config.want_stacks = o->stacks;
	config.want_thread_state = o->snapshot;
	config.want_requests = o->text.limits.last;
	config.want_ip = o->text.instruction_pointer;
	config.quiet_attach = o->quiet & QUIET_ATTACH;
	config.wants = wants_of(&wants, s);
	if (o->seccomp_bpf && start_filter(o, program))
		config.seccomp = program;
	/* A reader of the trace may need these values, so record them in any case. */
	if (o->write_trace)
		config.want_ip = config.want_cpu_time = true;
	s->capture = o->trace ? traces_open(o) : o->engine->create(&config);
	s->knows_times = s->capture && s->capture->capabilities & CAPTURE_TIMES;
	return s->capture && record_open(s);
}

/* Prepares to capture stacks. The engine provides the mappings and the files. */
static void stacks_open(struct session *s)
{
	if (!s->o->stacks)
		return;
	s->stacks = stacks_create(&s->o->unwind, s->capture->maps, s->capture->files,
				  s->o->capture.follow);
	s->unwinder = stacks_unwinder(s->stacks);
	feed_name_stacks(&s->feed, s->unwinder);
}

/* Starts the command and attaches to the processes of -p. */
static void start(struct session *s)
{
	const struct options *o = s->o;

	if (o->trace)
		s->command = o->trace_command;
	else if (!o->daemonize)
		start_attach(s->capture, o);
	if (o->argv) {
		s->command = o->daemonize ? start_daemonized(s->capture, o)
					  : start_command(s->capture, o, &s->status);
		start_leave_stdio();
	}
	if (!capture_count(s->capture) && !o->argv && !o->trace && !o->capture.ncgroups)
		s->error = 1;
	record_start(s);
	sinks_start(s);
	if (o->show_progress)
		progress_init(&s->progress, o->text.path, o->argv && !o->pids.n);
}

/*
 * Returns true if a thread may be resumed before the sinks receive its call. This is not allowed if
 * the call may end tracing, must be delayed, or has not been recorded yet. It is also not allowed
 * if sinks look up names of stack frames, because the look-up needs the current files and mappings
 * of the process.
 */
static bool may_resume_first(const struct session *s)
{
	return feed_unwatched(&s->feed) && s->capture->capabilities & CAPTURE_DELAY && !s->tamper &&
	       !s->recorder && !s->unwinder && !s->watch && !s->requests && !s->o->syscall_limit;
}

/*
 * Prints a message for each id of -p that the trace does not contain. If there is none, prints a
 * message if the output contains no calls. The cause may be a mistake in the options.
 */
static void explain_empty(const struct session *s)
{
	const struct options *o = s->o;
	bool unknown = false;

	if (!o->explains_empty || s->interrupted || s->ended)
		return;
	for (size_t i = 0; i < o->pids.n; i++) {
		if (s->pids_seen[i])
			continue;
		msg("-p %d: the trace contains no such process or thread", (int)o->pids.v[i]);
		unknown = true;
	}
	if (!unknown && !s->feed.any_call)
		msg("the trace contains no calls that match the options");
}

/* Traces until no tracee is left or until tracing is ended. */
static void trace(struct session *s)
{
	if (s->o->injections.n)
		s->tamper = tamper_create(s->o->injections.v, s->o->injections.n);
	if (s->o->io_uring)
		s->requests = requests_create(s->capture->reports_requests);
	s->off_cpu = options_need_off_cpu(s->o) && s->capture->reports_sched;
	if (s->o->wakers)
		s->wakes = wakes_create(wakeups_are_exact(s));
	s->resumes_first = may_resume_first(s);
	/* The recorder already reads all memory that decoding needs, so do not read ahead. */
	if (s->recorder) {
		plans_destroy(s->decode.plans);
		s->decode.plans = NULL;
	}
	dying = s;
	msg_set_exit_hook(end_tracing);

	start(s);
	if (s->o->snapshot)
		snapshot_run(s);
	else
		loop_run(s);
	record_end(s);
	progress_clear(&s->progress);
	session_detach(s);
	if (s->requests)
		requests_report(s->requests);
	requests_destroy(s, s->requests);
	dying = NULL;
	capture_end(s->capture);
	explain_empty(s);
	if (s->lost)
		msg("%llu event%s lost", (unsigned long long)s->lost,
		    s->lost == 1 ? " was" : "s were");
	if (s->discarded)
		msg("%llu captured event%s not shown, because --syscall-limit was reached",
		    (unsigned long long)s->discarded, s->discarded == 1 ? " was" : "s were");
}

/*
 * Frees the objects that the sinks may use, so the sinks must already be closed. Members that were
 * not created are NULL.
 */
static void session_free(struct session *s)
{
	stacks_destroy(s->stacks);
	if (s->tamper)
		tamper_destroy(s->tamper);
	wakes_destroy(s->wakes);
	plans_destroy(s->decode.plans);
	row_finder_destroy(s->rows);
	delays_deinit(&s->delays);
	record_close(s);
	if (s->capture)
		capture_destroy(s->capture);
}

int session_run(const struct options *o)
{
	struct sock_fprog program = {0};
	struct session s = {.o = o, .decode = o->decode, .holds = filter_holds(&o->filter)};
	int err;

	s.decode.secontext = options_can_show_contexts(o);
	if (!feed_open(&s.feed, o))
		return 1;
	s.decode.plans = plans_create();
	s.rows = row_finder_create();
	s.programs = programs_new(&s);
	if (o->trace && o->pids.n)
		s.pids_seen = mem_zalloc(o->pids.n * sizeof(*s.pids_seen));
	if (watch_open(&s) && engine_open(&s, &program)) {
		stacks_open(&s);
		trace(&s);
	} else {
		s.error = 1;
	}
	/* If the reader of the log is gone, writes must fail and must not end tracer by SIGPIPE. */
	signal(SIGPIPE, SIG_IGN);
	err = feed_close(&s.feed);
	if (err < 0)
		loop_log_failed(&s, err);
	else if (o->say_written && !s.error)
		msg("wrote %s", o->text.path);
	if (o->hint_symbols && !s.error)
		symbols_hint(s.unwinder, &o->unwind);
	s.failed = watch_end(&s);
	session_free(&s);
	free(program.filter);
	free(s.pids_seen);
	programs_free(s.programs);
	return session_status(&s);
}
