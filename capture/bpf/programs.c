/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/programs.h"

#include <signal.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/machine.h"
#include "capture/bpf/maker.h"
#include "capture/wants.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"

/* TRACE_SIGNAL_IGNORED of trace/events/signal.h. */
#define SIGNAL_IGNORED 1

static void read_offset(const struct btf *kernel, const char *type, const char *member, int *offset,
			const char **missing)
{
	*offset = btf_member(kernel, type, member);
	if (*offset < 0 && !*missing)
		*missing = member;
}

int kernel_offsets_find(const struct btf *kernel, struct kernel_offsets *o, const char **missing)
{
	*missing = NULL;
	read_offset(kernel, "task_struct", arch_native->compat_call.member, &o->compat, missing);
	read_offset(kernel, "task_struct", "pid", &o->pid, missing);
	read_offset(kernel, "task_struct", "tgid", &o->tgid, missing);
	read_offset(kernel, "task_struct", "exit_code", &o->exit_code, missing);
	read_offset(kernel, "task_struct", "mm", &o->mm, missing);
	read_offset(kernel, "task_struct", "group_leader", &o->group_leader, missing);
	read_offset(kernel, "task_struct", "thread_pid", &o->thread_pid, missing);
	read_offset(kernel, "pid", "level", &o->pid_level, missing);
	read_offset(kernel, "pid", "numbers", &o->pid_numbers, missing);
	read_offset(kernel, "task_struct", "stime", &o->stime, missing);
	read_offset(kernel, "task_struct", "sas_ss_sp", &o->alt_stack, missing);
	read_offset(kernel, "task_struct", "sas_ss_size", &o->alt_stack_size, missing);
	read_offset(kernel, "mm_struct", "start_stack", &o->start_stack, missing);
	o->thread_area = arch_native->thread_area
				 ? btf_member(kernel, "task_struct", arch_native->thread_area)
				 : -1;
	o->upid_size = btf_size(kernel, "upid");
	o->regs_size = btf_size(kernel, "pt_regs");
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
					    [PROGRAM_LEAVE] = "btf_trace_sys_exit",
					    [PROGRAM_ENTER] = "btf_trace_sys_enter"};

	return names[p];
}

/* -- parts ------------------------------------------------------------------ */

/* The thread's state in r7, r9 = the task; leaves if it is not traced. task is lost. */
static void find_state(const struct program_maker *m)
{
	struct code *c = m->c;

	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_map(c, R1, m->config->maps->threads);
	code_mov(c, R2, R0);
	code_mov_n(c, R3, 0);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_TASK_STORAGE_GET);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
}

/* r0 = the value of an array's element whose number is at AT_KEY; leaves if there is none. */
static void look_up(const struct program_maker *m, int map)
{
	struct code *c = m->c;

	code_map(c, R1, map);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, AT_KEY);
	code_call(c, HELPER_MAP_LOOKUP);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
}

/* The scratch in r6; at AT_KEY the number of the CPU. */
static void find_scratch(const struct program_maker *m)
{
	struct code *c = m->c;

	code_call(c, HELPER_CPU);
	code_store(c, SIZE_8, FP, AT_KEY, R0);
	look_up(m, m->config->maps->scratch);
	code_mov(c, R6, R0);
}

static void store_time(const struct program_maker *m)
{
	code_call(m->c, HELPER_KTIME_NS);
	code_store(m->c, SIZE_8, R6, IN_RECORD(record, time), R0);
}

/* The head of a record, but for its time, and in the scratch the size of what is fixed. */
static void begin_record(const struct program_maker *m, enum record_kind kind, unsigned flags,
			 size_t size)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, R6, IN_RECORD(record, tid), R1);
	code_store_n(c, SIZE_4, R6, IN_RECORD(record, kind), kind | flags << 16);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(losses.calls));
	code_store(c, SIZE_4, R6, IN_RECORD(record, lost_calls), R1);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(losses.results));
	code_store(c, SIZE_4, R6, IN_RECORD(record, lost_results), R1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(used), size);
}

/*
 * Writes the record to this CPU's ring of a map of rings. If it is full, counts that in the scratch
 * at `lost` and jumps to full. The number of the CPU is at AT_KEY.
 */
static void write_record(const struct program_maker *m, int rings, int16_t lost, unsigned full)
{
	struct code *c = m->c;
	unsigned written = code_label(c), big = code_label(c);

	code_load(c, SIZE_4, R9, R6, IN_SCRATCH(used));
	look_up(m, rings);
	code_mov(c, R1, R0);
	code_mov(c, R2, R6);
	code_alu_n(c, BPF_ADD, R2, IN_SCRATCH(record));
	code_mov(c, R3, R9);
	code_if_n(c, BPF_JGT, R3, RECORD_ROOM + STACK_ROOM, big);
	code_mov_n(c, R4, BPF_RB_NO_WAKEUP);
	code_call(c, HELPER_RINGBUF_OUTPUT);
	code_if_n(c, BPF_JEQ, R0, 0, written);
	code_place(c, big);
	code_load(c, SIZE_8, R1, R6, lost);
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_8, R6, lost, R1);
	code_jump(c, full);
	code_place(c, written);
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

/* Puts the current thread's name at `at` in the scratch. */
static void store_comm(const struct program_maker *m, int16_t at)
{
	code_mov(m->c, R1, R6);
	code_alu_n(m->c, BPF_ADD, R1, at);
	code_mov_n(m->c, R2, 16);
	code_call(m->c, HELPER_COMM);
}

static void store_ip_and_sp(const struct program_maker *m, int16_t ip, int16_t sp)
{
	const struct arch_mode *mode = &arch_native->modes[0];
	struct code *c = m->c;

	code_load(c, SIZE_8, R1, R8, mode->column_at[mode->pc]);
	code_store(c, SIZE_8, R6, ip, R1);
	code_load(c, SIZE_8, R1, R8, mode->column_at[mode->sp]);
	code_store(c, SIZE_8, R6, sp, R1);
}

/* -- the entry of a call ---------------------------------------------------- */

static const struct arch_call *call_of(uint32_t audit)
{
	return arch_call_find(&arch_native->modes[0], audit);
}

static uint32_t compat_audit(void)
{
	const uint32_t native = abi_native()->audit;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && abis[i].audit != native &&
		    call_of(abis[i].audit))
			return abis[i].audit;
	return 0;
}

/* Puts 1024 × ABI + number at AT_KEY, or what is no key for numbers beyond, for one audit value. */
static void store_key(const struct program_maker *m, uint32_t audit)
{
	struct code *c = m->c;
	unsigned stored = code_label(c);

	code_load(c, SIZE_4, R1, R8, call_of(audit)->nr);
	for (unsigned i = ABI_COUNT; i-- > 0;) {
		unsigned other = code_label(c), beyond = code_label(c);

		if (abis[i].arch != arch_native || abis[i].audit != audit)
			continue;
		code_mov(c, R2, R1);
		if (abis[i].nr_mask) {
			code_alu_n(c, BPF_AND, R2, (int32_t)abis[i].nr_mask);
			code_if_n(c, BPF_JEQ, R2, 0, other);
			code_mov(c, R2, R1);
			code_alu_n(c, BPF_AND, R2, (int32_t)~abis[i].nr_mask);
		}
		code_if_n(c, BPF_JGE, R2, CALLS_OF_ABI, beyond);
		code_alu_n(c, BPF_ADD, R2, (int32_t)(i * CALLS_OF_ABI));
		code_store(c, SIZE_4, FP, AT_KEY, R2);
		code_jump(c, stored);
		code_place(c, beyond);
		code_store_n(c, SIZE_4, FP, AT_KEY, ABI_COUNT * CALLS_OF_ABI);
		code_jump(c, stored);
		code_place(c, other);
	}
	code_place(c, stored);
}

/* Which call it is: its key at AT_KEY, its number and record flags at AT_NR and AT_COMPAT. */
static void find_call(const struct program_maker *m)
{
	struct code *c = m->c;
	const uint32_t compat = compat_audit();
	unsigned native = code_label(c), found = code_label(c);

	code_load(c, SIZE_8, R1, R8, call_of(abi_native()->audit)->nr);
	code_store(c, SIZE_8, FP, AT_NR, R1);
	code_store_n(c, SIZE_8, FP, AT_COMPAT, 0);
	if (compat) {
		code_load(c, SIZE_4, R1, R9, m->config->kernel->compat);
		code_alu_n(c, BPF_AND, R1, (int32_t)arch_native->compat_call.bit);
		code_if_n(c, BPF_JEQ, R1, 0, native);
		code_store_n(c, SIZE_8, FP, AT_COMPAT, RECORD_COMPAT);
		store_key(m, compat);
		code_jump(c, found);
		code_place(c, native);
	}
	store_key(m, abi_native()->audit);
	code_place(c, found);
}

/* The arguments, into the record and for the machine. */
static void store_args(const struct program_maker *m)
{
	struct code *c = m->c;
	const uint32_t compat = compat_audit();
	const struct arch_call *wide = call_of(abi_native()->audit), *narrow = NULL;
	unsigned native = code_label(c), stored = code_label(c);

	if (compat) {
		narrow = call_of(compat);
		code_load(c, SIZE_8, R1, FP, AT_COMPAT);
		code_if_n(c, BPF_JEQ, R1, 0, native);
		for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
			code_load(c, SIZE_4, R1, R8, narrow->args[i]);
			code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * i, R1);
		}
		code_jump(c, stored);
		code_place(c, native);
	}
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		code_load(c, SIZE_8, R1, R8, wide->args[i]);
		code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * i, R1);
	}
	code_place(c, stored);
	/* Behind the arguments, for what lies on the stack. */
	code_load(c, SIZE_8, R1, R8, arch_native->modes[0].column_at[arch_native->modes[0].sp]);
	code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * WANTED_SP, R1);
}

/* r0 = the entry of the table of variants whose key is at AT_VARIANT, or 0. */
static void find_variant(const struct program_maker *m)
{
	struct code *c = m->c;

	code_map(c, R1, m->config->maps->variants);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, AT_VARIANT);
	code_call(c, HELPER_MAP_LOOKUP);
}

/* With the struct call_entry in r9: READS() of the variant, if there is one, else the call's. */
static void choose_reads(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned chosen = code_label(c), found = code_label(c);

	code_load(c, SIZE_1, R1, R9, IN_CALL(fds));
	code_store(c, SIZE_8, FP, AT_FDS, R1);
	code_load(c, SIZE_4, R1, R9, IN_CALL(enter));
	code_store(c, SIZE_8, FP, AT_ENTER, R1);
	code_load(c, SIZE_4, R1, R9, IN_CALL(leave));
	code_store(c, SIZE_8, FP, AT_LEAVE, R1);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_VARIES);
	code_if_n(c, BPF_JEQ, R1, 0, chosen);
	code_load(c, SIZE_1, R1, R9, IN_CALL(reg));
	code_alu_n(c, BPF_AND, R1, 7);
	code_alu_n(c, BPF_LSH, R1, 3);
	code_alu(c, BPF_ADD, R1, R6);
	code_load(c, SIZE_8, R1, R1, IN_SCRATCH(args));
	code_load(c, SIZE_8, R2, R9, IN_CALL(mask));
	code_alu(c, BPF_AND, R1, R2);
	code_store(c, SIZE_8, FP, AT_VARIANT + 8, R1);
	code_load(c, SIZE_2, R1, R9, IN_CALL(list));
	code_store(c, SIZE_8, FP, AT_VARIANT, R1);
	find_variant(m);
	code_if_n(c, BPF_JNE, R0, 0, found);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_GROWS);
	code_if_n(c, BPF_JEQ, R1, 0, chosen);
	code_load(c, SIZE_8, R1, FP, AT_VARIANT + 8);
	code_alu_n(c, BPF_AND, R1, IOCTL_KIND_MASK);
	code_store(c, SIZE_8, FP, AT_VARIANT + 8, R1);
	code_store_n(c, SIZE_4, FP, AT_VARIANT + 4, 1);
	find_variant(m);
	code_if_n(c, BPF_JEQ, R0, 0, chosen);
	code_place(c, found);
	code_load(c, SIZE_4, R1, R0, offsetof(struct variant_entry, enter));
	code_store(c, SIZE_8, FP, AT_ENTER, R1);
	code_load(c, SIZE_4, R1, R0, offsetof(struct variant_entry, leave));
	code_store(c, SIZE_8, FP, AT_LEAVE, R1);
	code_load(c, SIZE_4, R1, R0, offsetof(struct variant_entry, fds));
	code_store(c, SIZE_8, FP, AT_FDS, R1);
	code_place(c, chosen);
}

/* What the return of the call needs to know. */
static void remember_call(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned whole = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_LEAVE);
	code_store(c, SIZE_4, R7, IN_STATE(leave), R1);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_store(c, SIZE_4, R7, IN_STATE(call), R1);
	code_store_n(c, SIZE_4, R7, IN_STATE(enter), 0);
	code_load(c, SIZE_8, R1, FP, AT_FDS);
	code_store(c, SIZE_4, R7, IN_STATE(fds), R1);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(failed));
	code_if_n(c, BPF_JEQ, R1, 0, whole);
	code_load(c, SIZE_8, R1, FP, AT_ENTER);
	code_store(c, SIZE_4, R7, IN_STATE(enter), R1);
	code_place(c, whole);
}

/* Registers and stack, if the call has that flag. */
static void append_stack_if(const struct program_maker *m, enum call_flag flag)
{
	struct code *c = m->c;
	unsigned none = code_label(c);

	if (!m->config->stack_size)
		return;
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, flag);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	maker_append_regs(m);
	maker_append_stack(m);
	code_place(c, none);
}

/* sys_enter(struct pt_regs *regs, long id) */
static void make_enter(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned wanted = code_label(c), full = code_label(c);

	code_load(c, SIZE_8, R8, R1, 0);
	find_state(m);
	code_load(c, SIZE_8, R1, R9, m->config->kernel->stime);
	code_store(c, SIZE_8, FP, AT_TIME, R1);
	code_store_n(c, SIZE_4, R7, IN_STATE(call), 0);
	find_call(m);
	look_up(m, m->config->maps->calls);
	code_mov(c, R9, R0);
	code_load(c, SIZE_4, R1, R9, IN_CALL(flags));
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_alu_n(c, BPF_AND, R1, CALL_WANTED);
	code_if_n(c, BPF_JNE, R1, 0, wanted);
	code_return(c, 0);

	code_place(c, wanted);
	find_scratch(m);
	store_args(m);
	choose_reads(m);
	begin_record(m, RECORD_ENTER, 0, sizeof(struct enter_record));
	code_load(c, SIZE_8, R1, FP, AT_COMPAT);
	code_store(c, SIZE_2, R6, IN_RECORD(record, flags), R1);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, R6, IN_RECORD(enter_record, nr), R1);
	code_load(c, SIZE_8, R1, FP, AT_TIME);
	code_store(c, SIZE_8, R6, IN_RECORD(enter_record, cpu), R1);
	store_ip_and_sp(m, IN_RECORD(enter_record, ip), IN_RECORD(enter_record, sp));
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		code_load(c, SIZE_8, R1, R6, IN_SCRATCH(args) + 8 * i);
		code_store(c, SIZE_8, R6, IN_RECORD(enter_record, args) + 8 * i, R1);
	}
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(result), -1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(failed), 0);
	code_load(c, SIZE_8, R1, FP, AT_ENTER);
	machine_run(c, m->step, R1, CHUNK_MEMORY, AT_SLOT);
	remember_call(m);
	if (m->config->fds)
		maker_append_fds(m);
	append_stack_if(m, CALL_STACK);
	/* As late as can be: the time of an entry is when the call begins. */
	store_time(m);
	write_record(m, m->config->maps->rings, IN_SCRATCH(losses.calls), full);
	code_return(c, 0);
	/* What it returns is not told of either. */
	code_place(c, full);
	code_store_n(c, SIZE_4, R7, IN_STATE(call), 0);
	code_return(c, 0);
}

/* -- its return ------------------------------------------------------------- */

/* A signal that came during the call is told behind it, and has the same stack. */
static void with_ignored(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(ignored));
	code_if_n(c, BPF_JEQ, R1, 0, none);
	code_store_n(c, SIZE_4, R7, IN_STATE(ignored), 0);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_OR, R1, CALL_FRESH);
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_place(c, none);
}

/* sys_exit(struct pt_regs *regs, long ret) */
static void make_leave(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned once = code_label(c), unnamed = code_label(c);

	code_load(c, SIZE_8, R8, R1, 8);
	code_store(c, SIZE_8, FP, AT_NR, R8);
	code_load(c, SIZE_8, R8, R1, 0);
	find_state(m);
	code_load(c, SIZE_4, R1, R7, IN_STATE(call));
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_if_n(c, BPF_JEQ, R1, 0, m->leave);
	code_store_n(c, SIZE_4, R7, IN_STATE(call), 0);
	find_scratch(m);
	store_time(m);
	begin_record(m, RECORD_LEAVE, 0, sizeof(struct leave_record));
	code_load(c, SIZE_8, R1, R9, m->config->kernel->stime);
	code_store(c, SIZE_8, R6, IN_RECORD(leave_record, cpu), R1);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, R6, IN_RECORD(leave_record, ret), R1);
	code_store(c, SIZE_8, R6, IN_SCRATCH(result), R1);
	store_ip_and_sp(m, IN_RECORD(leave_record, ip), IN_RECORD(leave_record, sp));
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_NAMES);
	code_if_n(c, BPF_JEQ, R1, 0, unnamed);
	code_store_n(c, SIZE_2, R6, IN_RECORD(record, flags), RECORD_NAMED);
	store_comm(m, IN_RECORD(leave_record, comm));
	code_place(c, unnamed);
	code_store_n(c, SIZE_8, FP, AT_COMPAT, 0);
	code_load(c, SIZE_4, R1, R9, m->config->kernel->compat);
	code_alu_n(c, BPF_AND, R1, (int32_t)arch_native->compat_call.bit);
	code_store(c, SIZE_8, FP, AT_COMPAT, R1);
	store_args(m);
	code_load(c, SIZE_4, R1, R7, IN_STATE(leave));
	machine_run(c, m->step, R1, CHUNK_MEMORY, AT_SLOT);
	/* What was not in memory at the entry is now, if the kernel has read it. */
	code_load(c, SIZE_4, R1, R7, IN_STATE(enter));
	code_if_n(c, BPF_JEQ, R1, 0, once);
	machine_run(c, m->step, R1, CHUNK_AGAIN, AT_SLOT);
	code_place(c, once);
	if (m->config->fds)
		maker_append_result_fd(m);
	with_ignored(m);
	append_stack_if(m, CALL_FRESH);
	write_record(m, m->config->maps->rings, IN_SCRATCH(losses.results), m->leave);
	code_return(c, 0);
}

/* -- threads ---------------------------------------------------------------- */

static void finish_event(const struct program_maker *m)
{
	store_time(m);
	write_record(m, m->config->maps->events, IN_SCRATCH(losses.others), m->leave);
	code_return(m->c, 0);
}

/* r0 = the state of the child in r8, made if there was none, or 0. */
static void make_child(const struct program_maker *m)
{
	struct code *c = m->c;

	code_map(c, R1, m->config->maps->threads);
	code_mov(c, R2, R8);
	code_mov_n(c, R3, 0);
	code_mov_n(c, R4, BPF_LOCAL_STORAGE_GET_F_CREATE);
	code_call(c, HELPER_TASK_STORAGE_GET);
}

/* sched_process_fork(struct task_struct *parent, struct task_struct *child) */
static void make_fork(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned apart = code_label(c), alone = code_label(c), missed = code_label(c);

	code_load(c, SIZE_8, R8, R1, 8);
	find_state(m);
	find_scratch(m);
	begin_record(m, RECORD_FORK, 0, sizeof(struct fork_record));
	code_load(c, SIZE_8, R1, R9, m->config->kernel->mm);
	code_load(c, SIZE_8, R2, R8, m->config->kernel->mm);
	code_if(c, BPF_JNE, R1, R2, apart);
	code_store_n(c, SIZE_2, R6, IN_RECORD(record, flags), RECORD_SHARES);
	code_place(c, apart);
	load_id(m, R8, false);
	code_store(c, SIZE_4, R6, IN_RECORD(fork_record, tid), R0);
	load_id(m, R8, true);
	code_store(c, SIZE_4, R6, IN_RECORD(fork_record, tgid), R0);
	store_comm(m, IN_RECORD(fork_record, comm));
	code_load(c, SIZE_4, R1, R7, IN_STATE(flags));
	code_alu_n(c, BPF_AND, R1, THREAD_FOLLOW);
	code_if_n(c, BPF_JEQ, R1, 0, alone);
	make_child(m);
	code_if_n(c, BPF_JEQ, R0, 0, missed);
	code_store_n(c, SIZE_4, R0, IN_STATE(flags), THREAD_FOLLOW);
	code_load(c, SIZE_4, R1, R6, IN_RECORD(fork_record, tid));
	code_store(c, SIZE_4, R0, IN_STATE(tid), R1);
	code_load(c, SIZE_4, R1, R6, IN_RECORD(fork_record, tgid));
	code_store(c, SIZE_4, R0, IN_STATE(tgid), R1);
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
 * As find_state(), but if the current process is not traced and has come to be in the control group
 * that is, it is traced from now on.
 */
static void find_state_or_join(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned found = code_label(c);

	if (m->config->maps->cgroup < 0) {
		find_state(m);
		return;
	}
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_mov(c, R8, R0);
	code_map(c, R1, m->config->maps->threads);
	code_mov(c, R2, R9);
	code_mov_n(c, R3, 0);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_TASK_STORAGE_GET);
	code_mov(c, R7, R0);
	code_if_n(c, BPF_JNE, R7, 0, found);
	code_map(c, R1, m->config->maps->cgroup);
	code_mov_n(c, R2, 0);
	code_call(c, HELPER_UNDER_CGROUP);
	code_if_n(c, BPF_JNE, R0, 1, m->leave);
	make_child(m);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
	code_store_n(c, SIZE_4, R7, IN_STATE(flags), THREAD_FOLLOW);
	load_id(m, R9, false);
	code_store(c, SIZE_4, R7, IN_STATE(tid), R0);
	load_id(m, R9, true);
	code_store(c, SIZE_4, R7, IN_STATE(tgid), R0);
	code_place(c, found);
}

/* sched_process_exec(struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm) */
static void make_exec(const struct program_maker *m)
{
	struct code *c = m->c;

	find_state_or_join(m);
	find_scratch(m);
	/* Whoever calls execve becomes the leader of its process. */
	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, R6, IN_RECORD(exec_record, old_tid), R1);
	code_load(c, SIZE_4, R1, R7, IN_STATE(tgid));
	code_store(c, SIZE_4, R7, IN_STATE(tid), R1);
	code_store_n(c, SIZE_4, R6, IN_RECORD(exec_record, pad), 0);
	begin_record(m, RECORD_EXEC, 0, sizeof(struct exec_record));
	store_comm(m, IN_RECORD(exec_record, comm));
	finish_event(m);
}

/* sched_process_exit(struct task_struct *p, …) */
static void make_exit(const struct program_maker *m)
{
	struct code *c = m->c;

	find_state(m);
	find_scratch(m);
	begin_record(m, RECORD_EXIT, 0, sizeof(struct exit_record));
	code_load(c, SIZE_4, R1, R9, m->config->kernel->exit_code);
	code_store(c, SIZE_8, R6, IN_RECORD(exit_record, code), R1);
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
static void make_signal(const struct program_maker *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R8, R1, 0);
	/* What ends a process is told where it ends, of each of its threads. */
	code_if_n(c, BPF_JEQ, R8, SIGKILL, m->leave);
	code_store(c, SIZE_8, FP, AT_NR, R8);
	code_load(c, SIZE_8, R8, R1, 8);
	find_state(m);
	find_scratch(m);
	begin_record(m, RECORD_SIGNAL, 0, sizeof(struct signal_record));
	store_signal(m);
	code_mov(c, R1, R9);
	code_call(c, HELPER_TASK_REGS);
	code_mov(c, R8, R0);
	store_ip_and_sp(m, IN_RECORD(signal_record, ip), IN_RECORD(signal_record, sp));
	if (m->config->stack_size) {
		maker_append_regs(m);
		maker_append_signal_stack(m);
	}
	finish_event(m);
}

/*
 * signal_generate(int sig, struct kernel_siginfo *info, struct task_struct *task, int group,
 *		   int result)
 */
static void make_ignored(const struct program_maker *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R2, R1, 32);
	code_if_n(c, BPF_JNE, R2, SIGNAL_IGNORED, m->leave);
	code_load(c, SIZE_4, R2, R1, 0);
	code_store(c, SIZE_8, FP, AT_NR, R2);
	code_load(c, SIZE_8, R8, R1, 8);
	code_load(c, SIZE_8, R2, R1, 16);
	code_map(c, R1, m->config->maps->threads);
	code_mov_n(c, R3, 0);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_TASK_STORAGE_GET);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
	code_store_n(c, SIZE_4, R7, IN_STATE(ignored), 1);
	find_scratch(m);
	begin_record(m, RECORD_IGNORED, 0, sizeof(struct signal_record));
	store_signal(m);
	code_store_n(c, SIZE_8, R6, IN_RECORD(signal_record, ip), 0);
	code_store_n(c, SIZE_8, R6, IN_RECORD(signal_record, sp), 0);
	finish_event(m);
}

/* -- all of them ------------------------------------------------------------ */

int program_make(struct program_code *out, enum program p, const struct program_config *config)
{
	static void (*const makers[])(const struct program_maker *m) = {
		[PROGRAM_FORK] = make_fork,	  [PROGRAM_EXEC] = make_exec,
		[PROGRAM_EXIT] = make_exit,	  [PROGRAM_SIGNAL] = make_signal,
		[PROGRAM_IGNORED] = make_ignored, [PROGRAM_LEAVE] = make_leave,
		[PROGRAM_ENTER] = make_enter,
	};
	struct program_maker m = {.c = &out->code, .config = config};
	struct code *c = &out->code;
	const bool calls = p == PROGRAM_ENTER || p == PROGRAM_LEAVE;
	const bool stacks = config->stack_size && (calls || p == PROGRAM_SIGNAL);

	*out = (struct program_code){0};
	m.leave = code_label(c);
	m.step = code_label(c);
	m.stack = code_label(c);
	m.fd = code_label(c);
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
	code_load(c, SIZE_8, R1, R0, kernel->thread_pid);
	code_load(c, SIZE_4, R0, R1, kernel->pid_level);
	code_exit(c);
	return code_link(c);
}
