/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests all data that decoding a stop may need with any combination of options, so that the
 * trace contains this data.
 */
#include <linux/sched.h>
#include <string.h>
#include <sys/prctl.h>

#include "capture/facts.h"
#include "capture/plan.h"
#include "trace/record/recorder.h"
#include "trace/record/recorder_state.h"
#include "decode/core/plan_types.h"
#include "event/find.h"
#include "linux/arch/arch.h"
#include "syscall.h"

#define READS_MAX 64

struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb)
{
	struct recorded_thread *t = tcb->recorded;

	if (likely(t))
		return t;
	t = tcb->recorded = mem_zalloc(sizeof(*t));
	recorded_memory_init(&t->memory, tcb->memory, &r->reads);
	tcb->memory = &t->memory.memory;
	tcb->facts = &r->facts.facts;
	return t;
}

/*
 * With few system calls, reads most of the memory that decoding will need. The read plan of the
 * decoded syscall lists this memory.
 */
static void read_ahead(struct recorder *r, const struct recorded_thread *t,
		       const struct syscall_event *ev, bool exiting)
{
	const uint32_t strings = r->decode.string_limit + 1;
	const int64_t result = ev->base.ret_kind == RET_VALUE ? ev->base.ret : -1;
	struct plan_read reads[READS_MAX];
	const struct plan *plan;
	unsigned n;

	if (!ev->desc || !ev->desc->nargs)
		return;
	plan = plans_get(r->plans, ev->desc, ev->abi, exiting);
	if (plan->n < 2)
		return;
	n = plan_run(plan,
		     &(struct plan_call){.memory = t->memory.live,
					 .args = ev->raw_args,
					 .has_result = exiting,
					 .big_endian = ev->abi->arch->big_endian,
					 .result = result},
		     &(struct plan_limits){.bytes = {[PLAN_WHOLE] = 512,
						     [PLAN_PATH] = 256,
						     [PLAN_TEXT] = strings,
						     [PLAN_DATA] = strings,
						     [PLAN_ELEMENTS] = 4096},
					   .elements = UINT32_MAX,
					   .depth = 2,
					   .full = true,
					   .ahead = true},
		     &r->reads.arena, reads, READS_MAX);
	for (unsigned i = 0; i < n; i++)
		recorded_reads_know(&r->reads, reads[i].addr, reads[i].bytes, reads[i].got);
}

/*
 * Returns a copy of *tcb in which `syscall` points to `call`, the recorder's own event of the call,
 * instead of the session's.
 */
static struct tcb with_call(const struct tcb *tcb, struct syscall_event *call)
{
	struct tcb own = *tcb;

	own.syscall = call;
	return own;
}

void recorder_collect_enter(struct recorder *r, struct recorded_thread *t, const struct tcb *tcb)
{
	struct tcb own = with_call(tcb, t->call);

	syscall_finish(&own);
	t->call = syscall_begin(&own, r->finder);
	/* The calls that tracer's own code makes before the command's execve are never shown. */
	if (!(tcb->flags & TCB_WAIT_EXECVE) || event_is_execve(t->call)) {
		read_ahead(r, t, t->call, false);
		syscall_decode_enter(&own, &r->decode);
	}
}

void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev)
{
	struct recorded_facts *f = &r->facts;
	uint64_t flags = ev->raw_args[0];

	switch (ev->row) {
	case ROW_close:
		recorded_facts_fd_changed(f, f->tgid, (int)ev->raw_args[0]);
		break;
	case ROW_dup2:
	case ROW_dup3:
		recorded_facts_fd_changed(f, f->tgid, (int)ev->raw_args[1]);
		break;
	case ROW_close_range:
		recorded_facts_fd_changed(f, f->tgid, -1);
		break;
	case ROW_chdir:
	case ROW_fchdir:
	case ROW_chroot:
	case ROW_pivot_root:
	case ROW_mount:
	case ROW_umount2:
	case ROW_move_mount:
	case ROW_unshare:
	case ROW_setns:
	case ROW_rename:
	case ROW_renameat:
	case ROW_renameat2:
	case ROW_unlink:
	case ROW_unlinkat:
	case ROW_rmdir:
	case ROW_mknod:
	case ROW_mknodat:
		recorded_facts_files_changed(f);
		recorded_facts_tasks_changed(f);
		break;
	case ROW_connect:
	case ROW_bind:
	case ROW_listen:
	case ROW_accept:
	case ROW_accept4:
	case ROW_shutdown:
	case ROW_sendto:
	case ROW_sendmsg:
	case ROW_sendmmsg:
		recorded_facts_sockets_changed(f);
		break;
	case ROW_prctl:
	case ROW_setsid:
	case ROW_setpgid:
		recorded_facts_tasks_changed(f);
		break;
	case ROW_clone3:
		if (memory_read(tcb->memory, ev->raw_args[0], &flags, sizeof(flags)))
			flags = CLONE_FILES;
		/* fallthrough */
	case ROW_clone:
		if (!r->follows || (flags & CLONE_FILES && !(flags & CLONE_THREAD)))
			f->descriptors_known = false;
		break;
	case ROW_fork:
	case ROW_vfork:
		/*
		 * An untraced child may rename files without the recorder noticing, so the recorded
		 * paths of descriptors could be out of date.
		 */
		f->descriptors_known &= r->follows;
		break;
	case ROW_io_uring_setup:
		f->descriptors_known = false;
		break;
	default:
		break;
	}
}

/* Requests the thread's name, which some output formats show. The name may have changed. */
static void collect_name(struct recorder *r, const struct tcb *tcb)
{
	char comm[16];

	recorded_facts_tasks_changed(&r->facts);
	fact_comm(tcb->facts, tcb->tid, comm);
}

void recorder_collect_exit(struct recorder *r, struct recorded_thread *t, const struct tcb *tcb,
			   bool over)
{
	struct syscall_event *ev = t->call;
	struct tcb own = with_call(tcb, ev);

	if (!syscall_is_running(ev))
		return;
	if (over)
		ev->base.ret_kind = RET_NONE;
	else
		syscall_end(&own);
	recorder_note_changes(r, tcb, ev);
	r->reads.dirents = ev->row == ROW_getdents64;
	if (!over && (event_is_execve(ev) || ev->row == ROW_prctl))
		collect_name(r, tcb);
	read_ahead(r, t, ev, true);
	syscall_decode_exit(&own, &r->decode);
	syscall_finish(&own);
}

struct syscall_event *recorder_request(struct recorder *r, const struct tcb *tcb,
				       struct syscall_event *request, unsigned row,
				       const uint64_t args[SYSCALL_ARGS_MAX])
{
	struct tcb caller = with_call(tcb, request);

	read_ahead(r, caller.recorded, syscall_begin_request(&caller, r->finder, row, args), false);
	syscall_decode_enter(&caller, &r->decode);
	return caller.syscall;
}

void recorder_completion(struct recorder *r, const struct tcb *tcb, struct syscall_event *request,
			 int32_t result)
{
	struct tcb caller = with_call(tcb, request);

	caller.regs.ret = result;
	caller.regs.is_error = result < 0;
	syscall_end(&caller);
	recorder_note_changes(r, &caller, request);
	read_ahead(r, caller.recorded, request, true);
	syscall_decode_exit(&caller, &r->decode);
}

/* Requests the command line of the process if this is the process's first thread. */
static void collect_command(struct tcb *tcb)
{
	char text[FACT_COMMAND_MAX];

	if (tcb_tgid(tcb) == tcb->tid)
		fact_command(tcb->facts, tcb->tid, text, sizeof(text));
}

/* Requests the program and the control group of a new process or after an execve. */
static void collect_program(struct tcb *tcb)
{
	struct fact_answer a;

	if (tcb_tgid(tcb) != tcb->tid)
		return;
	fact_program(tcb->facts, tcb->tid, &a);
	fact_cgroup(tcb->facts, tcb->tid, &a);
}

static void collect_signal(struct recorder *r, struct tcb *tcb, const siginfo_t *info)
{
	syscall_decode_siginfo(tcb, &r->decode, &r->reads.arena, info);
}

/*
 * Returns the end (highest address) of the stack that the arguments of clone or clone3 specify for
 * the new thread, or 0 if they specify none.
 */
static uint64_t stack_given(const struct recorded_thread *t, const struct syscall_event *ev)
{
	struct clone_args args;

	if (!syscall_is_running(ev))
		return 0;
	if (ev->row == ROW_clone)
		return ev->raw_args[1];
	if (ev->row != ROW_clone3 ||
	    memory_read(t->memory.live, ev->raw_args[0], &args, CLONE_ARGS_SIZE_VER0) ||
	    !args.stack)
		return 0;
	return args.stack + args.stack_size;
}

void recorder_note_bottom(struct recorder *r, const struct stop *stop)
{
	struct recorded_thread *t = r->stopped, *child;
	uint64_t given;

	/*
	 * The end of the new stack is not known before the execve returns. Forget the end of the
	 * old stack now, because the return may not be recorded.
	 */
	if (stop->kind == STOP_EXEC)
		t->bottom = 0;
	if (stop->kind == STOP_SYSCALL_EXIT && syscall_is_running(t->call) &&
	    event_is_execve(t->call) && !stop->tcb->regs.is_error)
		t->bottom = stop->tcb->regs.sp;
	if (stop->kind != STOP_FORK || !stop->child || stop->child->group != r->group)
		return;
	child = recorder_thread(r, stop->child);
	given = stack_given(t, t->call);
	child->bottom = given ? given : t->bottom;
}

void recorder_collect(struct recorder *r, const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	struct recorded_thread *t = r->stopped;

	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		if (!stop->unknown)
			recorder_collect_enter(r, t, tcb);
		break;
	case STOP_SYSCALL_EXIT:
		recorder_collect_exit(r, t, tcb, stop->unknown);
		break;
	case STOP_SIGNAL:
		if (stop->has_info)
			collect_signal(r, tcb, &stop->info);
		break;
	case STOP_NEW:
	case STOP_EXEC:
		if (stop->kind == STOP_EXEC)
			recorded_facts_fd_changed(&r->facts, r->facts.tgid, -1);
		collect_name(r, tcb);
		collect_command(tcb);
		collect_program(tcb);
		break;
	case STOP_EXITING:
		collect_command(tcb);
		/* fallthrough */
	case STOP_EXITED:
	case STOP_VANISHED:
		recorder_collect_exit(r, t, tcb, true);
		recorded_facts_tasks_changed(&r->facts);
		recorded_facts_fd_changed(&r->facts, r->facts.tgid, -1);
		break;
	default:
		break;
	}
}
