/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs that see births, ends and signals of threads. */
#include <signal.h>

#include "capture/bpf/maker.h"

/* TRACE_SIGNAL_IGNORED of trace/events/signal.h. */
#define SIGNAL_IGNORED 1
/* Of flags of struct signal_struct: linux/sched/signal.h. */
#define SIGNAL_GROUP_EXIT 4

/* The head of another record, but for its time, and in the scratch the size of what is fixed. */
static void begin_record(const struct program_maker *m, enum record_kind kind, size_t size)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, R6, IN_RECORD(record, tid), R1);
	code_store_n(c, SIZE_4, R6, IN_RECORD(record, kind), kind);
	maker_store_group(m);
	code_load(c, SIZE_8, R1, maker_find_losses(m), IN_LOSSES(others));
	code_store(c, SIZE_4, R6, IN_RECORD(record, lost_calls), R1);
	code_store_n(c, SIZE_4, R6, IN_RECORD(record, lost_results), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(used), size);
}

/* r0 = the id in our pid namespace of the task in `task`, which is kept; 0: it has none there. */
static void load_id(const struct program_maker *m, enum reg task, bool group)
{
	const struct kernel_offsets *k = m->config->kernel;
	struct code *c = m->c;
	unsigned done = code_label(c);

	if (!m->config->level) {
		code_load(c, SIZE_4, R0, task, group ? k->tgid : k->pid);
		return;
	}
	code_mov(c, R1, task);
	if (group)
		code_load(c, SIZE_8, R1, R1, k->group_leader);
	code_load(c, SIZE_8, R1, R1, k->thread_pid);
	code_mov_n(c, R0, 0);
	code_load(c, SIZE_4, R2, R1, k->pid_level);
	code_if_n(c, BPF_JLT, R2, m->config->level, done);
	code_load(c, SIZE_4, R0, R1, k->pid_numbers + (int)m->config->level * k->upid_size);
	code_place(c, done);
}

static void finish_event(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned full = code_label(c);

	maker_store_time(m, R6);
	maker_write_record(m, m->config->maps->events, full);
	code_return(c, 0);
	code_place(c, full);
	maker_count_loss(m, IN_LOSSES(others));
	code_return(c, 0);
}

/* Reads n bytes, at an offset from the struct pid at AT_VARIANT, into the scratch. */
static void read_of_pid(struct code *c, int16_t to, int n, int offset)
{
	code_mov(c, R1, R6);
	code_alu_n(c, BPF_ADD, R1, to);
	code_mov_n(c, R2, n);
	code_load(c, SIZE_8, R3, FP, AT_VARIANT);
	code_alu_n(c, BPF_ADD, R3, offset);
	code_call(c, HELPER_READ_KERNEL);
}

/* The ids of the child in r8 in all pid namespaces that it has ids in, from ours on. */
static void store_ids(const struct program_maker *m)
{
	const struct kernel_offsets *k = m->config->kernel;
	const int level = (int)m->config->level;
	struct code *c = m->c;

	if (!k->upid_known) {
		code_store_n(c, SIZE_4, R6, IN_RECORD(fork_record, levels), -1);
		return;
	}
	maker_read_pointer(c, AT_VARIANT, R8, k->thread_pid);
	read_of_pid(c, IN_RECORD(fork_record, levels), 4, k->pid_level);
	code_load(c, SIZE_4, R1, R6, IN_RECORD(fork_record, levels));
	code_alu_n(c, BPF_SUB, R1, level);
	code_store(c, SIZE_4, R6, IN_RECORD(fork_record, levels), R1);
	read_of_pid(c, IN_RECORD(fork_record, ids), sizeof(((struct fork_record *)0)->ids),
		    k->pid_numbers + level * k->upid_size);
}

/* sched_process_fork(struct task_struct *parent, struct task_struct *child) */
void maker_fork(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned apart = code_label(c), alone = code_label(c), missed = code_label(c);

	code_load(c, SIZE_8, R8, R1, 8);
	maker_find_state(m);
	/* See program_copies(). */
	code_load(c, SIZE_8, R1, R8, m->config->kernel->start_time);
	code_load(c, SIZE_8, R2, R7, IN_STATE(child));
	code_if(c, BPF_JEQ, R1, R2, m->leave);
	code_store(c, SIZE_8, R7, IN_STATE(child), R1);
	maker_find_scratch(m, SCRATCH_THREADS);
	begin_record(m, RECORD_FORK, sizeof(struct fork_record));
	maker_read_pointer(c, AT_VARIANT, R9, m->config->kernel->mm);
	maker_read_pointer(c, AT_ENTER, R8, m->config->kernel->mm);
	code_load(c, SIZE_8, R1, FP, AT_VARIANT);
	code_load(c, SIZE_8, R2, FP, AT_ENTER);
	code_if(c, BPF_JNE, R1, R2, apart);
	code_store_n(c, SIZE_2, R6, IN_RECORD(record, flags), RECORD_SHARES);
	code_place(c, apart);
	load_id(m, R8, false);
	code_store(c, SIZE_4, R6, IN_RECORD(fork_record, tid), R0);
	load_id(m, R8, true);
	code_store(c, SIZE_4, R6, IN_RECORD(fork_record, tgid), R0);
	maker_store_comm(m, R6, IN_RECORD(fork_record, comm));
	store_ids(m);
	code_load(c, SIZE_4, R1, R7, IN_STATE(flags));
	code_alu_n(c, BPF_AND, R1, THREAD_FOLLOW);
	code_if_n(c, BPF_JEQ, R1, 0, alone);
	maker_add_task(m, R8);
	code_if_n(c, BPF_JEQ, R0, 0, missed);
	code_store_n(c, SIZE_4, R0, IN_STATE(flags), THREAD_FOLLOW);
	code_load(c, SIZE_4, R1, R6, IN_RECORD(fork_record, tid));
	code_store(c, SIZE_4, R0, IN_STATE(tid), R1);
	code_load(c, SIZE_4, R1, R6, IN_RECORD(fork_record, tgid));
	code_store(c, SIZE_4, R0, IN_STATE(tgid), R1);
	code_load(c, SIZE_4, R1, R7, IN_STATE(group));
	code_store(c, SIZE_4, R0, IN_STATE(group), R1);
	code_store_n(c, SIZE_4, R0, IN_STATE(entered), ENTERED_BEFORE);
	code_load(c, SIZE_2, R1, R6, IN_RECORD(record, flags));
	code_alu_n(c, BPF_OR, R1, RECORD_FOLLOW);
	code_store(c, SIZE_2, R6, IN_RECORD(record, flags), R1);
	code_jump(c, alone);
	code_place(c, missed);
	code_load(c, SIZE_2, R1, R6, IN_RECORD(record, flags));
	code_alu_n(c, BPF_OR, R1, RECORD_MISSED);
	code_store(c, SIZE_2, R6, IN_RECORD(record, flags), R1);
	code_place(c, alone);
	finish_event(m);
}

/*
 * As maker_find_state(), but if the current process is not traced and has come to be in one of the
 * control groups, it is traced from now on. At AT_VARIANT is the index of that group.
 */
static void find_state_or_join(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned found = code_label(c), inside = code_label(c);

	code_store_n(c, SIZE_8, FP, AT_VARIANT, 0);
	if (m->config->maps->cgroup < 0) {
		maker_find_state(m);
		return;
	}
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_mov(c, R8, R0);
	maker_find_task(m, R9);
	code_mov(c, R7, R0);
	code_if_n(c, BPF_JNE, R7, 0, found);
	for (unsigned i = 0; i < m->config->groups; i++) {
		code_store_n(c, SIZE_8, FP, AT_VARIANT, (int32_t)i);
		code_map(c, R1, m->config->maps->cgroup);
		code_mov_n(c, R2, (int32_t)i);
		code_call(c, HELPER_UNDER_CGROUP);
		code_if_n(c, BPF_JEQ, R0, 1, inside);
	}
	code_jump(c, m->leave);
	code_place(c, inside);
	maker_add_task(m, R8);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
	code_store_n(c, SIZE_4, R7, IN_STATE(flags), THREAD_FOLLOW);
	code_load(c, SIZE_8, R1, FP, AT_VARIANT);
	code_store(c, SIZE_4, R7, IN_STATE(group), R1);
	code_store_n(c, SIZE_4, R7, IN_STATE(entered), ENTERED_BEFORE);
	load_id(m, R9, false);
	code_store(c, SIZE_4, R7, IN_STATE(tid), R0);
	load_id(m, R9, true);
	code_store(c, SIZE_4, R7, IN_STATE(tgid), R0);
	code_place(c, found);
}

/* sched_process_exec(struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm) */
void maker_exec(const struct program_maker *m)
{
	struct code *c = m->c;

	maker_rename_task(m);
	find_state_or_join(m);
	maker_find_scratch(m, SCRATCH_THREADS);
	/* Whoever calls execve becomes the leader of its process. */
	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, R6, IN_RECORD(exec_record, old_tid), R1);
	code_load(c, SIZE_4, R1, R7, IN_STATE(tgid));
	code_store(c, SIZE_4, R7, IN_STATE(tid), R1);
	code_load(c, SIZE_8, R1, FP, AT_VARIANT);
	code_store(c, SIZE_4, R6, IN_RECORD(exec_record, group), R1);
	begin_record(m, RECORD_EXEC, sizeof(struct exec_record));
	maker_store_comm(m, R6, IN_RECORD(exec_record, comm));
	finish_event(m);
}

/* sched_process_exit(struct task_struct *p, …) */
void maker_exit(const struct program_maker *m)
{
	struct code *c = m->c;

	maker_find_state(m);
	maker_find_scratch(m, SCRATCH_THREADS);
	begin_record(m, RECORD_EXIT, sizeof(struct exit_record));
	code_load(c, SIZE_4, R1, R9, m->config->kernel->exit_code);
	code_store(c, SIZE_8, R6, IN_RECORD(exit_record, code), R1);
	maker_drop_task(m);
	finish_event(m);
}

/* The signal at AT_NR, with the struct kernel_siginfo that r8 points to. */
static void store_signal(const struct program_maker *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, R6, IN_RECORD(signal_record, sig), R1);
	code_mov(c, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_RECORD(signal_record, info));
	code_mov_n(c, R2, sizeof(((struct signal_record *)0)->info));
	code_mov(c, R3, R8);
	code_call(c, HELPER_READ_KERNEL);
}

/* signal_deliver(int sig, struct kernel_siginfo *info, struct k_sigaction *ka) */
void maker_signal(const struct program_maker *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R8, R1, 0);
	/* What ends a process is told where it ends, of each of its threads. */
	code_if_n(c, BPF_JEQ, R8, SIGKILL, m->leave);
	code_store(c, SIZE_8, FP, AT_NR, R8);
	code_load(c, SIZE_8, R8, R1, 8);
	maker_find_state(m);
	maker_find_scratch(m, SCRATCH_THREADS);
	begin_record(m, RECORD_SIGNAL, sizeof(struct signal_record));
	store_signal(m);
	code_mov(c, R1, R9);
	code_call(c, HELPER_TASK_REGS);
	code_mov(c, R8, R0);
	maker_store_ip_and_sp(m, R6, IN_RECORD(signal_record, ip), IN_RECORD(signal_record, sp));
	if (m->config->stack_size) {
		maker_append_regs(m);
		maker_append_signal_stack(m);
	}
	finish_event(m);
}

/*
 * Leaves if the signal at AT_NR, for which the kernel has done what is at AT_LEAVE, comes to the
 * thread in r9 by itself. It does not if it is ignored, nor if it ends the process without a core
 * dump: the kernel has killed all threads by now, and it is SIGKILL that they get.
 */
static void unless_deadly(const struct program_maker *m)
{
	const struct kernel_offsets *k = m->config->kernel;
	struct code *c = m->c;
	unsigned done = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_LEAVE);
	code_if_n(c, BPF_JEQ, R1, SIGNAL_IGNORED, done);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_if_n(c, BPF_JEQ, R1, SIGKILL, m->leave);
	maker_read_pointer(c, AT_ENTER, R9, k->signal);
	code_load(c, SIZE_8, R9, FP, AT_ENTER);
	maker_read_pointer(c, AT_ENTER, R9, k->signal_flags);
	code_load(c, SIZE_4, R1, FP, AT_ENTER);
	code_alu_n(c, BPF_AND, R1, SIGNAL_GROUP_EXIT);
	code_if_n(c, BPF_JEQ, R1, 0, m->leave);
	maker_read_pointer(c, AT_ENTER, R9, k->group_exit_code);
	code_load(c, SIZE_4, R1, FP, AT_ENTER);
	code_load(c, SIZE_8, R2, FP, AT_NR);
	code_if(c, BPF_JNE, R1, R2, m->leave);
	code_place(c, done);
}

/*
 * signal_generate(int sig, struct kernel_siginfo *info, struct task_struct *task, int group,
 *		   int result)
 */
void maker_ignored(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned ignored = code_label(c);

	code_load(c, SIZE_4, R2, R1, 32);
	code_if_n(c, BPF_JGT, R2, SIGNAL_IGNORED, m->leave);
	code_store(c, SIZE_8, FP, AT_LEAVE, R2);
	code_load(c, SIZE_4, R2, R1, 0);
	code_store(c, SIZE_8, FP, AT_NR, R2);
	code_load(c, SIZE_8, R8, R1, 8);
	code_load(c, SIZE_8, R9, R1, 16);
	maker_find_task(m, R9);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
	unless_deadly(m);
	code_store_n(c, SIZE_4, R7, IN_STATE(ignored), 1);
	maker_find_scratch(m, SCRATCH_IGNORED);
	begin_record(m, RECORD_IGNORED, sizeof(struct signal_record));
	code_load(c, SIZE_8, R1, FP, AT_LEAVE);
	code_if_n(c, BPF_JEQ, R1, SIGNAL_IGNORED, ignored);
	code_store_n(c, SIZE_2, R6, IN_RECORD(record, flags), RECORD_DEADLY);
	code_place(c, ignored);
	store_signal(m);
	code_store_n(c, SIZE_8, R6, IN_RECORD(signal_record, ip), 0);
	code_store_n(c, SIZE_8, R6, IN_RECORD(signal_record, sp), 0);
	finish_event(m);
}
