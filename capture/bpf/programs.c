/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/programs.h"

#include <linux/btf.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/machine.h"
#include "capture/bpf/maker.h"
#include "linux/arch/arch.h"

static void read_offset(const struct btf *kernel, const char *type, const char *member, int *offset,
			const char **missing)
{
	*offset = btf_member(kernel, type, member);
	if (*offset < 0 && !*missing)
		*missing = member;
}

static int offset_of(const struct btf *kernel, const struct arch_member *m)
{
	return m->name ? btf_member(kernel, m->in_regs ? "pt_regs" : "task_struct", m->name) : -1;
}

/* kfuncs with these names, of Linux 6.10. */
static void find_functions(const struct btf *kernel, struct kernel_offsets *o, const char **missing)
{
	o->preempt_disable = btf_find(kernel, BTF_KIND_FUNC, "bpf_preempt_disable");
	o->preempt_enable = btf_find(kernel, BTF_KIND_FUNC, "bpf_preempt_enable");
	if ((o->preempt_disable < 0 || o->preempt_enable < 0) && !*missing)
		*missing = "bpf_preempt_disable";
}

int kernel_offsets_find(const struct btf *kernel, struct kernel_offsets *o, bool preempted,
			const char **missing)
{
	*missing = NULL;
	o->compat = offset_of(kernel, &arch_native->compat_call.member);
	o->thread_area = offset_of(kernel, &arch_native->thread_area);
	read_offset(kernel, "task_struct", "pid", &o->pid, missing);
	read_offset(kernel, "task_struct", "tgid", &o->tgid, missing);
	read_offset(kernel, "task_struct", "start_time", &o->start_time, missing);
	read_offset(kernel, "task_struct", "exit_code", &o->exit_code, missing);
	read_offset(kernel, "task_struct", "mm", &o->mm, missing);
	read_offset(kernel, "task_struct", "group_leader", &o->group_leader, missing);
	read_offset(kernel, "task_struct", "thread_pid", &o->thread_pid, missing);
	read_offset(kernel, "pid", "level", &o->pid_level, missing);
	read_offset(kernel, "pid", "numbers", &o->pid_numbers, missing);
	read_offset(kernel, "task_struct", "stime", &o->stime, missing);
	read_offset(kernel, "task_struct", "sas_ss_sp", &o->alt_stack, missing);
	read_offset(kernel, "task_struct", "sas_ss_size", &o->alt_stack_size, missing);
	read_offset(kernel, "task_struct", "signal", &o->signal, missing);
	read_offset(kernel, "signal_struct", "flags", &o->signal_flags, missing);
	read_offset(kernel, "signal_struct", "group_exit_code", &o->group_exit_code, missing);
	read_offset(kernel, "mm_struct", "start_stack", &o->start_stack, missing);
	if (preempted)
		find_functions(kernel, o, missing);
	o->storage = btf_member(kernel, "task_struct", "bpf_storage");
	o->upid_size = btf_size(kernel, "upid");
	o->upid_known = o->upid_size == 16 && btf_member(kernel, "upid", "nr") == 0 &&
			btf_member(kernel, "upid", "ns") == 8;
	o->regs_size = btf_size(kernel, "pt_regs");
	if (!*missing && o->compat < 0 && arch_native->compat_call.member.name)
		*missing = arch_native->compat_call.member.name;
	if (!*missing && (o->upid_size < 0 || o->regs_size < 0))
		*missing = "pt_regs";
	return *missing ? -ENOENT : 0;
}

const char *program_tracepoint(enum program p)
{
	static const char *const names[] = {[PROGRAM_FORK] = "btf_trace_sched_process_fork",
					    [PROGRAM_EXEC] = "btf_trace_sched_process_exec",
					    [PROGRAM_EXIT] = "btf_trace_sched_process_exit",
					    [PROGRAM_SIGNAL] = "btf_trace_signal_deliver",
					    [PROGRAM_IGNORED] = "btf_trace_signal_generate",
					    [PROGRAM_SWITCH] = "btf_trace_sched_switch",
					    [PROGRAM_LEAVE] = "btf_trace_sys_exit",
					    [PROGRAM_ENTER] = "btf_trace_sys_enter"};

	return names[p];
}

const char *program_event(enum program p)
{
	static const char *const names[PROGRAMS] = {[PROGRAM_EXEC] = "sched/sched_process_exec",
						    [PROGRAM_EXIT] = "sched/sched_process_exit",
						    [PROGRAM_LEAVE] = "raw_syscalls/sys_exit",
						    [PROGRAM_ENTER] = "raw_syscalls/sys_enter"};

	return names[p];
}

unsigned program_copies(enum program p)
{
	return p == PROGRAM_FORK ? PROGRAM_COPIES : 1;
}

/*
 * With program_config.preempted: others would find the scratch as this program has left it when it
 * lost the CPU. So it is a function, which is called where that cannot happen.
 */
static void call_guarded(const struct program_maker *m, unsigned body)
{
	const struct kernel_offsets *k = m->config->kernel;
	struct code *c = m->c;

	code_mov(c, R6, R1);
	code_call_kernel(c, k->preempt_disable);
	code_mov(c, R1, R6);
	code_call_function(c, body);
	code_call_kernel(c, k->preempt_enable);
	code_return(c, 0);
}

int program_make(struct program_code *out, enum program p, const struct program_config *config)
{
	static void (*const makers[])(const struct program_maker *m) = {
		[PROGRAM_FORK] = maker_fork,	   [PROGRAM_EXEC] = maker_exec,
		[PROGRAM_EXIT] = maker_exit,	   [PROGRAM_SIGNAL] = maker_signal,
		[PROGRAM_IGNORED] = maker_ignored, [PROGRAM_LEAVE] = maker_leave,
		[PROGRAM_ENTER] = maker_enter,	   [PROGRAM_SWITCH] = maker_switch,
	};
	struct program_maker m = {.c = &out->code, .config = config};
	struct code *c = &out->code;
	const bool calls = p == PROGRAM_ENTER || p == PROGRAM_LEAVE;
	const bool stacks = config->stack_size && (calls || p == PROGRAM_SIGNAL);

	*out = (struct program_code){.code.aligned = config->aligned};
	m.leave = code_label(c);
	m.step = code_label(c);
	m.stack = code_label(c);
	m.fd = code_label(c);
	/* A switch to another thread does not happen amid another one. */
	if (config->preempted && !program_event(p) && p != PROGRAM_SWITCH) {
		unsigned body = code_label(c);

		call_guarded(&m, body);
		code_place(c, body);
		out->body = c->insns.n;
	}
	makers[p](&m);
	code_place(c, m.leave);
	code_return(c, 0);
	code_place(c, m.step);
	if (calls) {
		out->step = c->insns.n;
		machine_function(c, config->maps->ops);
	}
	code_place(c, m.stack);
	if (stacks) {
		out->stack = c->insns.n;
		if (p == PROGRAM_ENTER)
			maker_stack_function(&m);
		else
			machine_stack_function(c);
	}
	code_place(c, m.fd);
	if (calls && config->fds) {
		out->fd = c->insns.n;
		maker_fd_function(&m);
	}
	return code_link(c);
}

int program_level(struct code *c, const struct kernel_offsets *kernel)
{
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R6, R0);
	maker_read_pointer(c, AT_KEY, R6, kernel->thread_pid);
	code_load(c, SIZE_8, R6, FP, AT_KEY);
	maker_read_pointer(c, AT_KEY, R6, kernel->pid_level);
	code_load(c, SIZE_4, R0, FP, AT_KEY);
	code_exit(c);
	return code_link(c);
}
