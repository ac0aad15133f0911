/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs that see calls: their entries, their returns, and who is taken off its CPU between.
 */
#include "capture/bpf/machine.h"
#include "capture/bpf/maker.h"
#include "capture/wants.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"

/* Where an event of raw_syscalls/sys_exit has the result: its file `format` in tracefs. */
#define EVENT_RET 16
/* An entry with more bytes is not told together with its return, which may need room, too. */
#define JOINED_MAX 16384

/* The head of a record of a call, but for its time. */
static void begin_call(const struct program_maker *m, enum reg at, enum record_kind kind)
{
	struct code *c = m->c;
	enum reg losses;

	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, at, IN_RECORD(record, tid), R1);
	code_store_n(c, SIZE_4, at, IN_RECORD(record, kind), kind);
	maker_store_group(m);
	losses = maker_find_losses(m);
	code_load(c, SIZE_8, R1, losses, IN_LOSSES(calls));
	code_store(c, SIZE_4, at, IN_RECORD(record, lost_calls), R1);
	code_load(c, SIZE_8, R1, losses, IN_LOSSES(results));
	code_store(c, SIZE_4, at, IN_RECORD(record, lost_results), R1);
}

/* A record was not written: counts it, and what the reader knows of stacks is not known here. */
static void lose(const struct program_maker *m, int16_t lost)
{
	maker_count_loss(m, lost);
	maker_forget_stacks(m);
}

/* Nothing of this CPU is on its way to its ring any more. */
static void nothing_waits(const struct program_maker *m)
{
	code_store_n(m->c, SIZE_4, R6, IN_SCRATCH(entered), 0);
	code_store_n(m->c, SIZE_8, R6, IN_SCRATCH(since), 0);
}

static uint32_t compat_audit(void)
{
	const uint32_t native = abi_native()->audit;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && abis[i].audit != native &&
		    arch_kernel_call(abis[i].audit))
			return abis[i].audit;
	return 0;
}

/* If the number in r2 is one of the ABI's own calls: puts the key at AT_KEY, and goes on there. */
static void store_own_key(const struct program_maker *m, const struct abi *abi, unsigned stored)
{
	struct code *c = m->c;
	unsigned other = code_label(c);

	code_mov(c, R3, R2);
	code_alu_n(c, BPF_SUB, R3, (int32_t)abi->own_calls);
	code_if_n(c, BPF_JGE, R3, ABI_OWN_CALLS_END - ABI_OWN_CALLS, other);
	code_alu_n(c, BPF_ADD, R3, (int32_t)(abi->index * CALLS_OF_ABI) + ABI_OWN_CALLS);
	code_store(c, SIZE_4, FP, AT_KEY, R3);
	code_jump(c, stored);
	code_place(c, other);
}

/* Puts 1024 × ABI + number at AT_KEY, or what is no key for numbers beyond, for one audit value. */
static void store_key(const struct program_maker *m, uint32_t audit)
{
	struct code *c = m->c;
	unsigned stored = code_label(c);

	code_load(c, SIZE_4, R1, R8, arch_kernel_call(audit)->nr);
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
		if (abis[i].own_calls)
			store_own_key(m, &abis[i], stored);
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

	code_load(c, arch_native->narrow_nr ? SIZE_4 : SIZE_8, R1, R8,
		  arch_kernel_call(abi_native()->audit)->nr);
	code_store(c, SIZE_8, FP, AT_NR, R1);
	code_store_n(c, SIZE_8, FP, AT_COMPAT, 0);
	if (compat) {
		maker_load_compat(m, R1);
		code_if_n(c, BPF_JEQ, R1, 0, native);
		code_store_n(c, SIZE_8, FP, AT_COMPAT, RECORD_COMPAT);
		store_key(m, compat);
		code_jump(c, found);
		code_place(c, native);
	}
	store_key(m, abi_native()->audit);
	code_place(c, found);
}

/* Behind the arguments, for what lies on the stack. */
static void store_sp(const struct program_maker *m)
{
	maker_load_sp(m, R1);
	code_store(m->c, SIZE_8, R6, IN_SCRATCH(args) + 8 * WANTED_SP, R1);
}

/* The arguments, for the machine. */
static void store_args(const struct program_maker *m)
{
	struct code *c = m->c;
	const uint32_t compat = compat_audit();
	const struct arch_call *wide = arch_kernel_call(abi_native()->audit), *narrow = NULL;
	unsigned native = code_label(c), stored = code_label(c);

	if (compat) {
		narrow = arch_kernel_call(compat);
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
}

/*
 * Makes the block of arguments that the scratch's argument 0 or 1 points to the arguments, and a
 * chunk of it, as the reader looks there, too.
 */
static void load_block(const struct program_maker *m)
{
	const int16_t data = IN_SCRATCH(record) + sizeof(struct chunk_head);
	struct code *c = m->c;
	unsigned first = code_label(c), bad = code_label(c), done = code_label(c);

	code_load(c, SIZE_8, R3, R6, IN_SCRATCH(args));
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_BEHIND_0);
	code_if_n(c, BPF_JNE, R1, 0, first);
	code_load(c, SIZE_8, R3, R6, IN_SCRATCH(args) + 8);
	code_place(c, first);
	code_store(c, SIZE_8, FP, AT_SLOT, R9);
	code_load(c, SIZE_4, R9, R6, IN_SCRATCH(used));
	code_multiple(c, R9);
	code_if_n(c, BPF_JGT, R9, RECORD_FULL, bad);
	code_alu(c, BPF_ADD, R9, R6);
	code_store(c, SIZE_8, R9, IN_SCRATCH(record), R3);
	code_store_n(c, SIZE_4, R9, IN_SCRATCH(record) + offsetof(struct chunk_head, size), 24);
	code_store_n(c, SIZE_4, R9, IN_SCRATCH(record) + offsetof(struct chunk_head, what),
		     CHUNK_MEMORY);
	code_mov(c, R1, R9);
	code_alu_n(c, BPF_ADD, R1, data);
	code_mov_n(c, R2, SYSCALL_ARGS_MAX * 4);
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JNE, R0, 0, bad);
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		code_load(c, SIZE_4, R1, R9, data + 4 * i);
		code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * i, R1);
	}
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, sizeof(struct chunk_head) + SYSCALL_ARGS_MAX * 4);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_jump(c, done);
	/* What is read by them is nothing. */
	code_place(c, bad);
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		code_store_n(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * i, 0);
	code_place(c, done);
	code_load(c, SIZE_8, R9, FP, AT_SLOT);
}
_Static_assert(SYSCALL_ARGS_MAX * 4 == 24, "a multiple of 8, as chunks are");

/*
 * The arguments of a compat call in the scratch are those that its flags at AT_CALL say. Argument 0
 * of the registers is at AT_VARIANT then.
 */
static void replace_args(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned shifted = code_label(c), done = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_ARGS);
	code_if_n(c, BPF_JEQ, R1, 0, done);
	code_load(c, SIZE_8, R2, R6, IN_SCRATCH(args));
	code_store(c, SIZE_8, FP, AT_VARIANT, R2);
	code_if_n(c, BPF_JEQ, R1, CALL_SHIFTED, shifted);
	load_block(m);
	code_jump(c, done);
	code_place(c, shifted);
	code_alu_n(c, BPF_RSH, R2, 16);
	for (int i = 1; i < SYSCALL_ARGS_MAX; i++) {
		code_load(c, SIZE_8, R1, R6, IN_SCRATCH(args) + 8 * i);
		code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * (i - 1), R1);
	}
	code_store(c, SIZE_8, R6, IN_SCRATCH(args) + 8 * (SYSCALL_ARGS_MAX - 1), R2);
	code_place(c, done);
}

/* Goes on with the struct call_entry, in r9, of the call that another one makes: see
 * replace_args(). */
static void choose_call(const struct program_maker *m)
{
	struct code *c = m->c;
	const uint32_t compat = compat_audit();
	const unsigned first = abi_find(compat, 0)->index * CALLS_OF_ABI;
	unsigned shifted = code_label(c), chosen = code_label(c), done = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_BEHIND_1 | CALL_SHIFTED);
	code_if_n(c, BPF_JEQ, R1, 0, done);
	code_load(c, SIZE_8, R2, FP, AT_VARIANT);
	code_if_n(c, BPF_JEQ, R1, CALL_SHIFTED, shifted);
	code_if_n(c, BPF_JGE, R2, ABI_IPC_CALLS - ABI_SOCKETCALLS, done);
	code_alu_n(c, BPF_ADD, R2, (int32_t)(first + ABI_SOCKETCALLS));
	code_jump(c, chosen);
	code_place(c, shifted);
	code_alu_n(c, BPF_AND, R2, 0xffff);
	code_if_n(c, BPF_JGE, R2, ABI_SUBCALLS_END - ABI_IPC_CALLS, done);
	code_alu_n(c, BPF_ADD, R2, (int32_t)(first + ABI_IPC_CALLS));
	code_place(c, chosen);
	code_store(c, SIZE_8, FP, AT_VARIANT, R2);
	code_map(c, R1, m->config->maps->calls);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, AT_VARIANT);
	code_call(c, HELPER_MAP_LOOKUP);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_load(c, SIZE_2, R1, R0, IN_CALL(flags));
	code_mov(c, R2, R1);
	code_alu_n(c, BPF_AND, R2, CALL_WANTED);
	code_if_n(c, BPF_JEQ, R2, 0, done);
	code_mov(c, R9, R0);
	code_load(c, SIZE_8, R2, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R2, CALL_ARGS);
	code_alu(c, BPF_OR, R1, R2);
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_place(c, done);
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

	code_load(c, SIZE_2, R1, R9, IN_CALL(fds));
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

/* Writes what waits, if anything does: an entry whose return is not told with it. */
static void flush_entered(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned full = code_label(c), written = code_label(c), none = code_label(c);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(entered));
	code_if_n(c, BPF_JEQ, R1, 0, none);
	maker_write_record(m, m->config->maps->rings, full);
	code_jump(c, written);
	code_place(c, full);
	lose(m, IN_LOSSES(calls));
	code_place(c, written);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(entered), 0);
	code_place(c, none);
}

/*
 * The arguments, unless there are none: for the machine, and as the end of the fixed part of the
 * record of an entry.
 */
static void record_args(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned bare = code_label(c), done = code_label(c);

	code_store_n(c, SIZE_2, R6, IN_RECORD(enter_record, leave), 0);
	store_sp(m);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_BARE);
	code_if_n(c, BPF_JNE, R1, 0, bare);
	store_args(m);
	code_store_n(c, SIZE_2, R6, IN_RECORD(enter_record, bare), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(used), sizeof(struct enter_record));
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		code_load(c, SIZE_8, R1, R6, IN_SCRATCH(args) + 8 * i);
		code_store(c, SIZE_8, R6, IN_RECORD(enter_record, args) + 8 * i, R1);
	}
	code_jump(c, done);
	code_place(c, bare);
	code_store_n(c, SIZE_2, R6, IN_RECORD(enter_record, bare), 1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(used), ENTER_BARE);
	code_place(c, done);
}

/*
 * Makes the record of the entry of the call that the thread r9 with the registers r8 is in, which
 * waits for its return then. Goes on at `unwanted` if it is not to be recorded.
 */
static void record_entry(const struct program_maker *m, unsigned unwanted)
{
	struct code *c = m->c;

	code_load(c, SIZE_8, R1, R9, m->config->kernel->stime);
	code_store(c, SIZE_8, FP, AT_TIME, R1);
	code_store_n(c, SIZE_4, R7, IN_STATE(call), 0);
	find_call(m);
	maker_look_up(m, m->config->maps->calls);
	code_mov(c, R9, R0);
	code_load(c, SIZE_2, R1, R9, IN_CALL(flags));
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_alu_n(c, BPF_AND, R1, CALL_WANTED);
	code_if_n(c, BPF_JEQ, R1, 0, unwanted);
	maker_find_scratch(m, SCRATCH_CALLS);
	flush_entered(m);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(since), SINCE_UNKNOWN);
	begin_call(m, R6, RECORD_ENTER);
	code_load(c, SIZE_8, R1, FP, AT_COMPAT);
	code_store(c, SIZE_2, R6, IN_RECORD(record, flags), R1);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_4, R6, IN_RECORD(enter_record, nr), R1);
	code_load(c, SIZE_8, R1, FP, AT_TIME);
	code_store(c, SIZE_8, R6, IN_RECORD(enter_record, cpu), R1);
	maker_store_ip_and_sp(m, R6, IN_RECORD(enter_record, ip), IN_RECORD(enter_record, sp));
	record_args(m);
	if (compat_audit()) {
		replace_args(m);
		choose_call(m);
	}
	choose_reads(m);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(result), -1);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_TWICE);
	code_store(c, SIZE_4, R6, IN_SCRATCH(failed), R1);
	code_load(c, SIZE_8, R1, FP, AT_ENTER);
	machine_run(c, m->step, R1, CHUNK_MEMORY, AT_SLOT);
	remember_call(m);
	if (m->config->fds)
		maker_append_fds(m);
	append_stack_if(m, CALL_STACK);
	/* As late as can be: the time of an entry is when the call begins. */
	maker_store_time(m, R6);
	code_store(c, SIZE_8, R6, IN_SCRATCH(since), R0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(entered), 1);
}

/*
 * Begins a program for calls: the registers in r8, the thread in r9 and its state in r7; leaves if
 * it is not traced.
 */
static void find_caller(const struct program_maker *m)
{
	struct code *c = m->c;

	if (!m->config->preempted)
		code_load(c, SIZE_8, R8, R1, 0);
	maker_find_state_of_call(m);
	if (!m->config->preempted)
		return;
	code_mov(c, R1, R9);
	code_call(c, HELPER_TASK_REGS);
	code_mov(c, R8, R0);
}

/* sys_enter(struct pt_regs *regs, long id) */
void maker_enter(const struct program_maker *m)
{
	struct code *c = m->c;

	find_caller(m);
	code_store_n(c, SIZE_4, R7, IN_STATE(entered), ENTERED_CALL);
	record_entry(m, m->leave);
	code_return(c, 0);
}

/*
 * sched_switch(bool preempt, struct task_struct *prev, …): the call will not return on this CPU
 * soon, so its entry is told of alone.
 */
void maker_switch(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned full = code_label(c);

	maker_find_scratch(m, SCRATCH_CALLS);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(entered));
	code_if_n(c, BPF_JEQ, R1, 0, m->leave);
	maker_write_record(m, m->config->maps->rings, full);
	nothing_waits(m);
	code_return(c, 0);
	/* What it returns is not told of either. */
	code_place(c, full);
	lose(m, IN_LOSSES(calls));
	nothing_waits(m);
	maker_find_state(m);
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

/*
 * The place of the record of the return, less its offset in the scratch, in r9: behind the entry
 * that waits, if there is one and it has left much room, so that both are one record in the ring.
 */
static void find_place_of_leave(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned alone = code_label(c), large = code_label(c), found = code_label(c);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(entered));
	code_if_n(c, BPF_JEQ, R1, 0, alone);
	code_load(c, SIZE_4, R9, R6, IN_SCRATCH(used));
	code_multiple(c, R9);
	code_if_n(c, BPF_JGT, R9, JOINED_MAX, large);
	code_store(c, SIZE_2, R6, IN_RECORD(enter_record, leave), R9);
	code_jump(c, found);
	code_place(c, large);
	flush_entered(m);
	code_place(c, alone);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(since), SINCE_UNKNOWN);
	code_mov_n(c, R9, 0);
	code_place(c, found);
	code_store(c, SIZE_4, R6, IN_SCRATCH(base), R9);
	code_alu(c, BPF_ADD, R9, R6);
}

/* The thread's name, as the first chunk of the record in r9, if the call may change it. */
static void append_name_if(const struct program_maker *m)
{
	struct code *c = m->c;
	const int16_t head = IN_SCRATCH(record) + sizeof(struct leave_record);
	unsigned unnamed = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_NAMES);
	code_if_n(c, BPF_JEQ, R1, 0, unnamed);
	code_store_n(c, SIZE_2, R9, IN_RECORD(record, flags), RECORD_NAMED);
	code_store_n(c, SIZE_8, R9, head, 0);
	code_store_n(c, SIZE_4, R9, head + offsetof(struct chunk_head, size), COMM_SIZE);
	code_store_n(c, SIZE_4, R9, head + offsetof(struct chunk_head, what), CHUNK_NAME);
	maker_store_comm(m, R9, head + sizeof(struct chunk_head));
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, sizeof(struct chunk_head) + COMM_SIZE);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_place(c, unnamed);
}

/* Goes on at `whole` unless the return in r9 is told with its entry, and is where that was. */
static void unless_plain(const struct program_maker *m, unsigned whole)
{
	const struct arch_mode *mode = &arch_native->modes[0];
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(base));
	code_if_n(c, BPF_JEQ, R1, 0, whole);
	code_load(c, SIZE_8, R1, FP, AT_CALL);
	code_alu_n(c, BPF_AND, R1, CALL_NAMES);
	code_if_n(c, BPF_JNE, R1, 0, whole);
	code_load(c, SIZE_8, R1, R8, mode->column_at[mode->pc]);
	code_load(c, SIZE_8, R2, R6, IN_RECORD(enter_record, ip));
	code_if(c, BPF_JNE, R1, R2, whole);
	maker_load_sp(m, R1);
	code_load(c, SIZE_8, R2, R6, IN_RECORD(enter_record, sp));
	code_if(c, BPF_JNE, R1, R2, whole);
}

/* So many bytes of the record are used from its base on. */
static void set_used(const struct program_maker *m, size_t n)
{
	code_load(m->c, SIZE_4, R1, R6, IN_SCRATCH(base));
	code_alu_n(m->c, BPF_ADD, R1, (int32_t)n);
	code_store(m->c, SIZE_4, R6, IN_SCRATCH(used), R1);
}

/* The fixed part of the record in r9. */
static void begin_leave(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned joined = code_label(c), whole = code_label(c), done = code_label(c);

	maker_store_time(m, R9);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(since));
	code_if_n(c, BPF_JNE, R1, SINCE_UNKNOWN, joined);
	code_store(c, SIZE_8, R6, IN_SCRATCH(since), R0);
	code_place(c, joined);
	unless_plain(m, whole);
	code_load(c, SIZE_4, R1, R7, IN_STATE(tid));
	code_store(c, SIZE_4, R9, IN_RECORD(return_record, tid), R1);
	code_store_n(c, SIZE_4, R9, IN_RECORD(return_record, kind), RECORD_RETURN);
	code_load(c, SIZE_8, R1, FP, AT_TIME);
	code_store(c, SIZE_8, R9, IN_RECORD(return_record, cpu), R1);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, R9, IN_RECORD(return_record, ret), R1);
	code_store(c, SIZE_8, R6, IN_SCRATCH(result), R1);
	set_used(m, sizeof(struct return_record));
	code_jump(c, done);

	code_place(c, whole);
	begin_call(m, R9, RECORD_LEAVE);
	code_load(c, SIZE_8, R1, FP, AT_TIME);
	code_store(c, SIZE_8, R9, IN_RECORD(leave_record, cpu), R1);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, R9, IN_RECORD(leave_record, ret), R1);
	code_store(c, SIZE_8, R6, IN_SCRATCH(result), R1);
	maker_store_ip_and_sp(m, R9, IN_RECORD(leave_record, ip), IN_RECORD(leave_record, sp));
	set_used(m, sizeof(struct leave_record));
	append_name_if(m);
	code_place(c, done);
}

/* What memory the call has filled in, and what was not there at the entry. */
static void read_at_leave(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c), once = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(leave));
	code_load(c, SIZE_4, R2, R7, IN_STATE(enter));
	code_alu(c, BPF_OR, R1, R2);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	store_sp(m);
	store_args(m);
	if (compat_audit())
		replace_args(m);
	code_load(c, SIZE_4, R1, R7, IN_STATE(leave));
	machine_run(c, m->step, R1, CHUNK_MEMORY, AT_SLOT);
	/* What was not in memory at the entry is now, if the kernel has read it. */
	code_load(c, SIZE_4, R1, R7, IN_STATE(enter));
	code_if_n(c, BPF_JEQ, R1, 0, once);
	machine_run(c, m->step, R1, CHUNK_AGAIN, AT_SLOT);
	code_place(c, once);
	code_place(c, none);
}

/*
 * A call that a filter of seccomp(2) has answered, in place of the kernel, has no sys_enter: its
 * entry is recorded where it returns, which is when the kernel tells of it.
 */
static void record_if_not_entered(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned seen = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(entered));
	code_store_n(c, SIZE_4, R7, IN_STATE(entered), ENTERED_NOT);
	code_if_n(c, BPF_JNE, R1, ENTERED_NOT, seen);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_store(c, SIZE_8, FP, AT_RESULT, R1);
	record_entry(m, m->leave);
	code_load(c, SIZE_8, R1, FP, AT_RESULT);
	code_store(c, SIZE_8, FP, AT_NR, R1);
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_place(c, seen);
}

/* The result at AT_NR, the registers in r8, the thread in r9 and its state in r7. */
static void record_return(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned full = code_label(c), alone = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(call));
	code_store(c, SIZE_8, FP, AT_CALL, R1);
	code_if_n(c, BPF_JEQ, R1, 0, m->leave);
	code_store_n(c, SIZE_4, R7, IN_STATE(call), 0);
	code_load(c, SIZE_8, R1, R9, m->config->kernel->stime);
	code_store(c, SIZE_8, FP, AT_TIME, R1);
	maker_load_compat(m, R1);
	code_store(c, SIZE_8, FP, AT_COMPAT, R1);
	maker_find_scratch(m, SCRATCH_CALLS);
	find_place_of_leave(m);
	begin_leave(m);
	read_at_leave(m);
	if (m->config->fds == WANTED_ALL_FDS)
		maker_append_new_fds(m);
	with_ignored(m);
	append_stack_if(m, CALL_FRESH);
	maker_write_record(m, m->config->maps->rings, full);
	nothing_waits(m);
	code_return(c, 0);

	code_place(c, full);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(entered));
	nothing_waits(m);
	code_if_n(c, BPF_JEQ, R1, 0, alone);
	lose(m, IN_LOSSES(calls));
	code_return(c, 0);
	code_place(c, alone);
	lose(m, IN_LOSSES(results));
	code_return(c, 0);
}

/* sys_exit(struct pt_regs *regs, long ret) */
void maker_leave(const struct program_maker *m)
{
	const int16_t ret = m->config->preempted ? EVENT_RET : 8;
	struct code *c = m->c;

	code_load(c, SIZE_8, R8, R1, ret);
	code_store(c, SIZE_8, FP, AT_NR, R8);
	find_caller(m);
	record_if_not_entered(m);
	record_return(m);
}
