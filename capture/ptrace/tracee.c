/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/proc/cpu_clock.h"
#include "capture/proc/thread_state.h"
#include "capture/proc/live_sources.h"
#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_mem.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/own_signals.h"
#include "util/clock.h"
#include "util/mem.h"

/*
 * Maximum number of polls in fetch_parent(): first ORPHAN_POLLS polls without sleeping, then
 * ORPHAN_SLEEPS polls, each followed by a sleep of ORPHAN_SLEEP_US microseconds. The stop of any
 * tracee ends the polling.
 */
#define ORPHAN_POLLS	50
#define ORPHAN_SLEEPS	100
#define ORPHAN_SLEEP_US 100
/* Maximum time in seconds to wait until all running tracees have stopped for detaching. */
#define DETACH_SECONDS 1

/* -- waiting ---------------------------------------------------------------- */

/*
 * Queues the stops of all orphans (threads whose first stop arrived before their parent's fork
 * event). Used if these fork events are no longer expected.
 */
static void release_orphans(struct tracees *set)
{
	for (struct tracee *t = set->newest; t && set->orphans; t = t->all_next) {
		if (!(t->tcb.flags & TCB_ORPHAN))
			continue;
		t->tcb.flags &= ~TCB_ORPHAN;
		set->orphans--;
		tracees_queue(set, t);
	}
}

/*
 * Called if wait4() found no child although tracees are left. Reports that all of them have
 * vanished.
 */
static void all_vanished(struct tracees *set)
{
	release_orphans(set);
	for (struct tracee *t = set->newest; t; t = t->all_next) {
		if (t->tcb.flags & TCB_QUEUED)
			continue;
		t->wait_status = STATUS_VANISHED;
		t->ptrace_msg = 0;
		tracees_queue(set, t);
	}
}

/*
 * Polls the tracees that probably have stopped already or will stop soon. Returns true if a stop
 * was found.
 */
static bool fetch_likely(struct tracees *set)
{
	struct spin *spin = &set->spin;
	struct tracee *t;
	pid_t tid;

	if (set->follow.following) {
		enum follow_state news = cpu_follow_count_stop(&set->follow);

		if (unlikely(news == FOLLOW_STARVED))
			wait_policy_disable_follow(&set->policy, timespec_ns(clock_after(0)),
						   FOLLOW_STARVES);
		else if (unlikely(news == FOLLOW_ENDED))
			wait_policy_follow_ended(&set->policy);
	}
	/*
	 * Some tracees are polled more often than others, and wait4(-1) also favours some tracees.
	 * Poll the tracee from spin_fair(), so that the others get a turn.
	 */
	spin_begin(spin, set->count, set->policy.now == WAIT_POLL);
	t = spin_fair(spin);
	if (t && tracees_wait_for(set, t->tcb.tid, WNOHANG) > 0)
		return true;
	while ((tid = spin_next(spin)) && !own_signals_pending()) {
		pid_t r = tracees_wait_for(set, tid, WNOHANG);

		if (r > 0) {
			spin_hit(spin, tracees_find(set, r));
			return true;
		}
		spin_missed(spin);
	}
	return false;
}

/*
 * Waits for the fork event of the parent of an orphan. An orphan is a thread whose first stop
 * arrived before this event. The event never arrives if the parent is gone. It arrives late if the
 * parent could not run yet, for example because the child is using the only CPU. Returns at the
 * first stop of any tracee, even if it is not this event. If no stop arrives in time, reports all
 * orphans without their parents.
 */
static void fetch_parent(struct tracees *set)
{
	for (int i = 0; i < ORPHAN_POLLS + ORPHAN_SLEEPS; i++) {
		if (own_signals_pending() || tracees_wait_for(set, -1, WNOHANG) > 0)
			return;
		if (i < ORPHAN_POLLS)
			sched_yield();
		else
			usleep(ORPHAN_SLEEP_US);
	}
	set->parent_gone = false;
	release_orphans(set);
}

/* Fetches at least one stop, unless a signal arrives first. */
static void fetch(struct tracees *set)
{
	if (unlikely(set->orphans && set->parent_gone)) {
		fetch_parent(set);
		return;
	}
	if (fetch_likely(set))
		return;
	if (tracees_wait_for(set, -1, 0) < 0 && errno == ECHILD)
		all_vanished(set);
}

static void tracees_wait(struct capture *c, struct stop *stop, const struct timespec *deadline)
{
	struct tracees *set = (struct tracees *)c;

	if (unlikely(set->dead != NULL))
		tracees_free_dead(set);
	for (;;) {
		/*
		 * Report signals before stops that have already been fetched, because Ctrl-C stops
		 * the tracees as well as us.
		 */
		stop->sig = own_signals_take();
		if (unlikely(stop->sig)) {
			stop->tcb = NULL;
			stop->kind = STOP_SIGNALLED;
			return;
		}
		while (set->queue_first) {
			struct tracee *t = set->queue_first;

			tracees_unqueue(set, t);
			if (likely(tracee_report_stop(set, t, stop)))
				return;
		}
		stop->tcb = NULL;
		if (unlikely(!set->count)) {
			stop->kind = STOP_NONE;
			return;
		}
		if (unlikely(own_signals_deadline(deadline))) {
			stop->kind = STOP_TIMEOUT;
			return;
		}
		fetch(set);
	}
}

/* -- detaching ----------------------------------------------------- */

static void tracees_interrupt(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	for (struct tracee *t = set->newest; t; t = t->all_next) {
		if (!(t->tcb.flags & (TCB_STOPPED | TCB_QUEUED | TCB_ORPHAN)))
			ptrace(PTRACE_INTERRUPT, t->tcb.tid, 0L, 0L);
	}
}

/*
 * Stops a running tracee so that it can be detached, and sets *status to its wait status. Returns
 * 0, -ESRCH if the tracee is gone, or -EBUSY if it does not stop in time.
 */
static int stop_running(struct tracee *t, int *status)
{
	struct tracees *set = t->set;

	if (t->tcb.flags & TCB_QUEUED || t->tcb.flags & TCB_ORPHAN) {
		*status = t->wait_status;
		return WIFSTOPPED(*status) ? 0 : -ESRCH;
	}
	if (ptrace(PTRACE_INTERRUPT, t->tcb.tid, 0L, 0L))
		return -ESRCH;
	/*
	 * A tracee in uninterruptible sleep (such as the parent of a vfork) stops only after that
	 * sleep. All tracees share one deadline. If a tracee does not stop before the deadline, it
	 * stays attached until we exit and the kernel detaches it.
	 */
	if (!set->detach_deadline.tv_sec) {
		clock_gettime(CLOCK_MONOTONIC, &set->detach_deadline);
		set->detach_deadline.tv_sec += DETACH_SECONDS;
	}
	while (!own_signals_deadline(&set->detach_deadline)) {
		pid_t r = wait4(t->tcb.tid, status, __WALL, NULL);

		if (r > 0)
			return WIFSTOPPED(*status) ? 0 : -ESRCH;
		if (r < 0 && errno != EINTR)
			return -ESRCH;
	}
	return wait4(t->tcb.tid, status, __WALL | WNOHANG, NULL) > 0 && WIFSTOPPED(*status)
		       ? 0
		       : -EBUSY;
}

static int tracee_detach(struct tcb *tcb)
{
	struct tracee *t = tracee_of(tcb);
	int sig = t->tcb.restart_signal, status = 0, err = 0;

	if (t->tcb.flags & TCB_DEAD)
		return -ESRCH;
	t->tcb.flags |= TCB_DETACHING;
	if (!(t->tcb.flags & TCB_STOPPED)) {
		err = stop_running(t, &status);
		sig = STATUS_EVENT(status) ? 0 : WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			sig = 0;
	} else if (t->deferred && !STATUS_EVENT(t->deferred)) {
		sig = WSTOPSIG(t->deferred) & ~0x80;
	}
	if (!err && ptrace(PTRACE_DETACH, t->tcb.tid, 0L, (long)sig))
		err = -errno;
	tracee_remove(t->set, t);
	return err == -EBUSY ? 0 : err;
}

/* -- the engine ----------------------------------------------------------------- */

static void tracees_end(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	if (set->ended)
		return;
	set->ended = true;
	if (!set->config.kill_on_exit) {
		tracees_interrupt(c);
		while (set->newest)
			tracee_detach(&set->newest->tcb);
	}
	guard_deinit(&set->guard);
	cpu_follow_deinit(&set->follow);
	own_signals_restore();
}

static void tracees_destroy(struct capture *c)
{
	struct tracees *set = (struct tracees *)c;

	tracees_end(c);
	tracees_table_deinit(set);
	thread_states_destroy(set->thread_states);
	cpu_clock_destroy(set->cpu_clock);
	live_sources_close(c);
	free(set);
}

static const struct capture_ops tracees_ops = {
	.start = tracees_start,
	.attach = tracees_attach,
	.wait = tracees_wait,
	.resume = tracee_resume,
	.detach = tracee_detach,
	.interrupt = tracees_interrupt,
	.count = tracees_count,
	.find = tracees_find_tcb,
	.next = tracees_next,
	.tgid = tracee_tgid,
	.get_regs = tracee_get_regs,
	.set_nr = tracee_set_nr,
	.set_ret = tracee_set_ret,
	.poke_arg = tracee_poke_arg,
	.write = tracee_write,
	.become = tracees_become,
	.inspect = tracee_inspect,
	.end = tracees_end,
	.destroy = tracees_destroy,
};

struct capture *tracees_create(const struct capture_config *config)
{
	struct tracees *set = mem_zalloc(sizeof(*set));

	set->capture = (struct capture){
		.ops = &tracees_ops, .name = "ptrace", .capabilities = TRACEES_CAPABILITIES};
	live_sources_open(&set->capture, config->want_stacks);
	if (config->want_stacks)
		set->capture.address_mask = tracee_query_mask();
	set->follow.procfs = set->capture.procfs;
	set->config = *config;
	guard_init(&set->guard, config, set->capture.procfs, &set->follow);
	set->thread_states =
		config->want_thread_state ? thread_states_create(set->capture.procfs) : NULL;
	tracees_table_init(set);
	spin_init(&set->spin, config->spin);
	wait_policy_init(&set->policy, config->spin == 0);
	set->cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	set->options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
	if (config->follow)
		set->options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	/*
	 * If the command continued without a tracer, the syscalls that the filter selects would
	 * fail with ENOSYS.
	 */
	if (config->seccomp)
		set->config.kill_on_exit = true;
	if (set->config.kill_on_exit)
		set->options |= PTRACE_O_EXITKILL;
	if (config->seccomp)
		set->options |= PTRACE_O_TRACESECCOMP;
	own_signals_install(config->interruptible, config->want_requests);
	return &set->capture;
}
