/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts that several programs have. */
#include "capture/bpf/maker.h"
#include "linux/arch/arch.h"

/* Where an event of sched/sched_process_exec has old_pid: its file `format` in tracefs. */
#define EVENT_OLD_PID 16

/* Calls a helper for the map of threads and the key at a place on the stack. */
static void call_by_id(const struct program_maker *m, enum helper helper, int16_t key)
{
	code_map(m->c, R1, m->config->maps->threads);
	code_mov(m->c, R2, FP);
	code_alu_n(m->c, BPF_ADD, R2, key);
	code_call(m->c, helper);
}

static void store_id(const struct program_maker *m, enum reg task)
{
	code_load(m->c, SIZE_4, R1, task, m->config->kernel->pid);
	code_store(m->c, SIZE_8, FP, AT_ID, R1);
}

static void get_storage(const struct program_maker *m, enum reg task, int flags)
{
	struct code *c = m->c;

	code_map(c, R1, m->config->maps->threads);
	code_mov(c, R2, task);
	code_mov_n(c, R3, 0);
	code_mov_n(c, R4, flags);
	code_call(c, HELPER_TASK_STORAGE_GET);
}

void maker_find_task(const struct program_maker *m, enum reg task)
{
	if (!m->config->by_id) {
		get_storage(m, task, 0);
		return;
	}
	store_id(m, task);
	call_by_id(m, HELPER_MAP_LOOKUP, AT_ID);
}

void maker_add_task(const struct program_maker *m, enum reg task)
{
	struct code *c = m->c;

	if (!m->config->by_id) {
		get_storage(m, task, BPF_LOCAL_STORAGE_GET_F_CREATE);
		return;
	}
	store_id(m, task);
	for (size_t at = 0; at < sizeof(struct thread_state); at += 8)
		code_store_n(c, SIZE_8, FP, (int16_t)(AT_STATE + (int)at), 0);
	code_mov(c, R3, FP);
	code_alu_n(c, BPF_ADD, R3, AT_STATE);
	code_mov_n(c, R4, BPF_NOEXIST);
	call_by_id(m, HELPER_MAP_UPDATE, AT_ID);
	call_by_id(m, HELPER_MAP_LOOKUP, AT_ID);
}
_Static_assert(AT_STATE + (int)sizeof(struct thread_state) == AT_ID, "the room for it");

void maker_drop_task(const struct program_maker *m)
{
	if (m->config->by_id)
		call_by_id(m, HELPER_MAP_DELETE, AT_ID);
}

void maker_rename_task(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned same = code_label(c);

	if (!m->config->by_id)
		return;
	code_load(c, SIZE_4, R8, R1, m->config->preempted ? EVENT_OLD_PID : 8);
	code_store(c, SIZE_8, FP, AT_KEY, R8);
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R7, R0);
	store_id(m, R7);
	code_if(c, BPF_JEQ, R1, R8, same);
	call_by_id(m, HELPER_MAP_LOOKUP, AT_KEY);
	code_if_n(c, BPF_JEQ, R0, 0, same);
	code_mov(c, R3, R0);
	code_mov_n(c, R4, BPF_ANY);
	call_by_id(m, HELPER_MAP_UPDATE, AT_ID);
	call_by_id(m, HELPER_MAP_DELETE, AT_KEY);
	code_place(c, same);
}

/* Goes on at `unknown` if no map knows the current thread. */
static void unless_known(const struct program_maker *m, unsigned unknown)
{
	struct code *c = m->c;

	/* Where nothing is kept with threads, that says nothing. */
	if (m->config->kernel->storage < 0 || m->config->by_id)
		return;
	code_call(c, HELPER_CURRENT_TASK);
	code_load(c, SIZE_8, R1, R0, (int16_t)m->config->kernel->storage);
	code_if_n(c, BPF_JEQ, R1, 0, unknown);
}

void maker_find_state(const struct program_maker *m)
{
	struct code *c = m->c;

	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	maker_find_task(m, R9);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
	code_mov(c, R7, R0);
}

void maker_find_state_of_call(const struct program_maker *m)
{
	unless_known(m, m->leave);
	maker_find_state(m);
}

static void look_up(const struct program_maker *m, int map, int16_t key)
{
	struct code *c = m->c;

	code_map(c, R1, map);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, key);
	code_call(c, HELPER_MAP_LOOKUP);
	code_if_n(c, BPF_JEQ, R0, 0, m->leave);
}

void maker_look_up(const struct program_maker *m, int map)
{
	look_up(m, map, AT_KEY);
}

void maker_find_scratch(const struct program_maker *m, enum scratch_of whose)
{
	struct code *c = m->c;
	const int before = (int)(whose * m->config->cpus);

	code_call(c, HELPER_CPU);
	if (before)
		code_alu_n(c, BPF_ADD, R0, before);
	code_store(c, SIZE_8, FP, AT_KEY, R0);
	maker_look_up(m, m->config->maps->scratch);
	code_mov(c, R6, R0);
	if (!before)
		return;
	code_load(c, SIZE_8, R1, FP, AT_KEY);
	code_alu_n(c, BPF_SUB, R1, before);
	code_store(c, SIZE_8, FP, AT_KEY, R1);
}

void maker_store_time(const struct program_maker *m, enum reg at)
{
	code_call(m->c, HELPER_KTIME_NS);
	code_store(m->c, SIZE_8, at, IN_RECORD(record, time), R0);
}

/* Where there is one group only, as nearly always, programs are as if there were none. */
static bool one_group(const struct program_maker *m)
{
	return m->config->groups < 2;
}

void maker_store_group(const struct program_maker *m)
{
	if (one_group(m))
		return;
	code_load(m->c, SIZE_4, R1, R7, IN_STATE(group));
	code_store(m->c, SIZE_4, R6, IN_SCRATCH(group), R1);
}

_Static_assert((CAPTURE_GROUPS_MAX & (CAPTURE_GROUPS_MAX - 1)) == 0, "a mask bounds a group");

enum reg maker_find_losses(const struct program_maker *m)
{
	struct code *c = m->c;

	if (one_group(m))
		return R6;
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(group));
	code_alu_n(c, BPF_AND, R2, CAPTURE_GROUPS_MAX - 1);
	code_alu_n(c, BPF_MUL, R2, sizeof(struct losses));
	code_alu(c, BPF_ADD, R2, R6);
	return R2;
}

void maker_count_loss(const struct program_maker *m, int16_t lost)
{
	const enum reg at = maker_find_losses(m);

	code_load(m->c, SIZE_8, R1, at, lost);
	code_alu_n(m->c, BPF_ADD, R1, 1);
	code_store(m->c, SIZE_8, at, lost, R1);
}

void maker_number_buffer(const struct program_maker *m)
{
	struct code *c = m->c;

	if (one_group(m))
		return;
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(group));
	code_alu_n(c, BPF_MUL, R1, (int32_t)m->config->cpus);
	code_alu(c, BPF_ADD, R0, R1);
}

/* r0 = the ring of this CPU's buffer for the record. */
static void find_ring(const struct program_maker *m, int rings)
{
	struct code *c = m->c;

	if (one_group(m)) {
		maker_look_up(m, rings);
		return;
	}
	code_load(c, SIZE_8, R0, FP, AT_KEY);
	maker_number_buffer(m);
	code_store(c, SIZE_8, FP, AT_BUFFER, R0);
	look_up(m, rings, AT_BUFFER);
}

void maker_write_record(const struct program_maker *m, int rings, unsigned full)
{
	struct code *c = m->c;

	find_ring(m, rings);
	code_mov(c, R1, R0);
	code_mov(c, R2, R6);
	code_alu_n(c, BPF_ADD, R2, IN_SCRATCH(record));
	code_load(c, SIZE_4, R3, R6, IN_SCRATCH(used));
	code_if_n(c, BPF_JGT, R3, RECORD_ROOM + STACK_ROOM, full);
	code_mov_n(c, R4, BPF_RB_NO_WAKEUP);
	code_call(c, HELPER_RINGBUF_OUTPUT);
	code_if_n(c, BPF_JNE, R0, 0, full);
}

void maker_store_comm(const struct program_maker *m, enum reg from, int16_t at)
{
	code_mov(m->c, R1, from);
	code_alu_n(m->c, BPF_ADD, R1, at);
	code_mov_n(m->c, R2, COMM_SIZE);
	code_call(m->c, HELPER_COMM);
}

/* dst = a word, or its lower half, of the thread whose struct pt_regs is in r8 and task in r9. */
static void load_member(struct code *c, int size, enum reg dst, const struct arch_member *member,
			int offset)
{
	code_load(c, size, dst, member->in_regs ? R8 : R9, (int16_t)offset);
}

void maker_load_compat(const struct program_maker *m, enum reg dst)
{
	const struct arch_member *member = &arch_native->compat_call.member;

	if (!member->name) {
		code_mov_n(m->c, dst, 0);
		return;
	}
	load_member(m->c, SIZE_4, dst, member, m->config->kernel->compat);
	code_alu_n(m->c, BPF_AND, dst, (int32_t)arch_native->compat_call.bit);
}

void maker_load_thread_area(const struct program_maker *m, enum reg dst)
{
	load_member(m->c, SIZE_8, dst, &arch_native->thread_area, m->config->kernel->thread_area);
}

void maker_load_sp(const struct program_maker *m, enum reg dst)
{
	const struct arch_mode *mode = &arch_native->modes[0];
	const uint16_t narrow = arch_native->compat_call.sp;
	struct code *c = m->c;
	unsigned wide = code_label(c), loaded = code_label(c);

	if (narrow) {
		maker_load_compat(m, dst);
		code_if_n(c, BPF_JEQ, dst, 0, wide);
		code_load(c, SIZE_4, dst, R8, (int16_t)narrow);
		code_jump(c, loaded);
	}
	code_place(c, wide);
	code_load(c, SIZE_8, dst, R8, mode->column_at[mode->sp]);
	code_place(c, loaded);
}

void maker_store_ip_and_sp(const struct program_maker *m, enum reg at, int16_t ip, int16_t sp)
{
	const struct arch_mode *mode = &arch_native->modes[0];
	struct code *c = m->c;

	code_load(c, SIZE_8, R1, R8, mode->column_at[mode->pc]);
	code_store(c, SIZE_8, at, ip, R1);
	maker_load_sp(m, R1);
	code_store(c, SIZE_8, at, sp, R1);
}

void maker_read_pointer(struct code *c, int16_t to, enum reg from, int offset)
{
	code_store_n(c, SIZE_8, FP, to, 0);
	code_mov(c, R1, FP);
	code_alu_n(c, BPF_ADD, R1, to);
	code_mov_n(c, R2, 8);
	code_mov(c, R3, from);
	code_alu_n(c, BPF_ADD, R3, offset);
	code_call(c, HELPER_READ_KERNEL);
}
