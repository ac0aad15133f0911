/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs for calls: for their entries, their returns, and the context switches in between. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_CALLS_H
#define TRACER_CAPTURE_BPF_KERNEL_CALLS_H

#include "capture/bpf/kernel/fds.bpf.h"
#include "capture/bpf/kernel/reads.bpf.h"
#include "capture/bpf/kernel/stacks.bpf.h"

/*
 * If the record of a call's entry is longer than this number of bytes, the return is written as a
 * separate record instead of being appended. Both together could be too long for one record.
 */
#define JOINED_MAX 16384

/* A call of the current thread or, in find_old_call(), of a sleeping thread. */
struct call {
	struct task_struct *task;
	const void *regs; /* the registers of the thread: struct pt_regs */
	struct thread_state *state;
	uint32_t key; /* index of `entry` in the table of calls */
	const struct call_entry *entry;
	uint32_t flags; /* bits of enum call_flag */
	bool compat;
	uint64_t first; /* the value of the first argument register */
};

/* Initializes the header of a call's record, except its time. */
static __always_inline void begin_call(struct scratch *s, struct record *r,
				       const struct thread_state *state, enum record_kind kind)
{
	const struct losses *losses;

	begin_head(s, r, state, kind);
	losses = losses_of(s);
	r->lost_calls = losses->calls;
	r->lost_results = losses->results;
}

/*
 * Counts a lost record of a call's entry or of a request's submission. Also forgets the kept stack
 * blocks.
 */
static __always_inline void lose_call(struct scratch *s)
{
	losses_of(s)->calls++;
	forget_stacks(s);
}

/* Marks this CPU as having no pending entry: all of its records are in its ring now. */
static __always_inline void clear_pending(struct scratch *s)
{
	s->entered = 0;
	*(volatile uint64_t *)&s->since = 0;
}

/*
 * If the record of a call's entry is pending on this CPU, writes it to the ring without the call's
 * return.
 */
static __always_inline void flush_pending(struct scratch *s)
{
	if (!s->entered)
		return;
	if (!write_record(s, &rings))
		lose_call(s);
	s->entered = 0;
}

/* -- finding the call's entry in the tables ---------------------------------------- */

static __always_inline bool is_of(const volatile struct setup_abi *abi, uint64_t nr)
{
	return abi->used && (!abi->nr_mask || nr & abi->nr_mask);
}

/*
 * Returns the index of syscall nr of an ABI in the table of calls, or setup.unlisted if the table
 * has no entry for nr.
 */
static __always_inline uint32_t key_of(const volatile struct setup_abi *abi, uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	if (abi->own_calls && nr - abi->own_calls < setup.own_calls.n)
		return abi->first + setup.own_calls.first + (uint32_t)(nr - abi->own_calls);
	return nr < CALLS_OF_ABI ? abi->first + (uint32_t)nr : setup.unlisted;
}

/*
 * Returns the syscall number of the current call. Sets call->entry to the call's element in the
 * table of calls, or to NULL if there is none.
 */
static __always_inline uint64_t find_entry(struct call *call)
{
	const uint64_t nr = setup.nr_is_32bit ? half_reg_at(call->regs, setup.calls[0].nr)
					      : reg_at(call->regs, setup.calls[0].nr);

	call->compat = is_compat(call->regs, call->task);
	if (call->compat)
		call->key = key_of(&setup.calls[1].abis[0], nr);
	else if (is_of(&setup.calls[0].abis[1], nr))
		call->key = key_of(&setup.calls[0].abis[1], nr);
	else
		call->key = key_of(&setup.calls[0].abis[0], nr);
	call->entry = bpf_map_lookup_elem(&calls, &call->key);
	call->flags = call->entry ? call->entry->flags : 0;
	return nr;
}

/* Copies the arguments to s->args, the input of the read plan. */
static __always_inline void store_args(struct scratch *s, const void *regs, bool compat)
{
	if (setup.compat.place != WORD_NOWHERE && compat) {
#pragma unroll
		for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
			s->args[i] = half_reg_at(regs, setup.calls[1].args[i]);
		return;
	}
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		s->args[i] = reg_at(regs, setup.calls[0].args[i]);
}

/*
 * Replaces the arguments with 4-byte values from the memory that argument 0 or 1 points to. Also
 * appends this memory as a chunk, because the decoder needs it.
 */
static __always_inline void load_block(struct scratch *s, uint32_t flags)
{
	const uint64_t addr = flags & CALL_AT_ARG_0 ? s->args[0] : s->args[1];
	struct chunk_head *h = chunk_at(s, s->used, RECORD_FULL);
	uint32_t words[SYSCALL_ARGS_MAX] = {0};

	if (h && !bpf_probe_read_user(words, sizeof(words), (const void *)addr)) {
		begin_chunk(h, addr, sizeof(words), CHUNK_MEMORY);
		__builtin_memcpy(h + 1, words, sizeof(words));
		s->used += sizeof(*h) + sizeof(words);
	}
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		s->args[i] = words[i];
}
_Static_assert(SYSCALL_ARGS_MAX * 4 % 8 == 0, "a multiple of 8, as chunks are");

/*
 * Corrects s->args for calls whose arguments are in memory (old_mmap, socketcall) or in unusual
 * registers (ipc).
 */
static __always_inline void replace_args(struct scratch *s, uint32_t flags)
{
	const uint64_t first = s->args[0];

	if (flags & (CALL_AT_ARG_0 | CALL_AT_ARG_1)) {
		load_block(s, flags);
	} else if (flags & CALL_SHIFTED) {
#pragma unroll
		for (int i = 1; i < SYSCALL_ARGS_MAX; i++)
			s->args[i - 1] = s->args[i];
		s->args[SYSCALL_ARGS_MAX - 1] = first >> 16;
	}
}

/*
 * For socketcall(2) and ipc(2): if calls of the requested function, such as connect, are wanted,
 * sets call->key and call->entry to those of the function.
 */
static __always_inline void choose_call(struct call *call)
{
	const struct call_entry *inner;
	uint32_t key;

	if (call->flags & CALL_AT_ARG_1) {
		if (call->first >= setup.sockets.n)
			return;
		key = setup.sockets.first + call->first;
	} else if (call->flags & CALL_SHIFTED) {
		if ((call->first & 0xffff) >= setup.ipc.n)
			return;
		key = setup.ipc.first + (call->first & 0xffff);
	} else {
		return;
	}
	inner = bpf_map_lookup_elem(&calls, &key);
	if (!inner || !(inner->flags & CALL_WANTED))
		return;
	call->key = key;
	call->entry = inner;
	call->flags = inner->flags | (call->flags & CALL_ARGS);
}

/*
 * Sets *reads to the memory to read for this call. The memory depends on the call's variant, such
 * as an operation of fcntl(2), if the table of variants contains the variant.
 */
static __always_inline void choose_reads(const struct scratch *s, const struct call *call,
					 struct variant_entry *reads)
{
	const struct call_entry *entry = call->entry;
	const struct variant_entry *variant;
	struct variant_key key;

	reads->enter = entry->enter;
	reads->leave = entry->leave;
	reads->fds = entry->fds;
	if (!(call->flags & CALL_VARIES))
		return;
	key.list = entry->list;
	key.any_size = 0;
	key.value = arg_of(s, entry->reg) & entry->mask;
	variant = bpf_map_lookup_elem(&variants, &key);
	if (!variant && call->flags & CALL_ANY_SIZE) {
		key.any_size = 1;
		key.value &= IOCTL_KIND_MASK;
		variant = bpf_map_lookup_elem(&variants, &key);
	}
	if (variant)
		*reads = *variant;
}

/* -- the entry ------------------------------------------------------------------ */

/* Copies the arguments to the record and to s->args, the input of the read plan. */
static __always_inline void record_args(struct scratch *s, struct enter_record *r,
					const struct call *call)
{
	r->leave = 0;
	s->args[WANTED_SP] = r->sp;
	if (call->flags & CALL_NO_ARGS) {
		r->no_args = 1;
		s->used = ENTER_NO_ARGS;
		return;
	}
	r->no_args = 0;
	s->used = sizeof(*r);
	store_args(s, call->regs, call->compat);
#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		r->args[i] = s->args[i];
}

/* Returns true if the arguments in s->args meet the conditions of the call. */
static __always_inline bool are_args_wanted(const struct scratch *s, const struct call *call)
{
	const uint32_t index = call->entry->conditions;
	const struct call_conditions *c;

	c = index ? bpf_map_lookup_elem(&conditions, &index) : NULL;
	if (!c)
		return true;
#pragma unroll
	for (int i = 0; i < CONDITIONS_MAX; i++) {
		const struct arg_condition *of = &c->of[i];
		const uint64_t value = arg_of(s, of->arg);

		if (((value - of->min) & of->mask) > of->span || (value & of->bits) != of->bits)
			return false;
	}
	return true;
}

/* Stores data that will be needed when the call returns. */
static __always_inline void remember_call(const struct scratch *s, const struct call *call,
					  const struct variant_entry *reads)
{
	struct thread_state *state = call->state;

	state->leave = reads->leave;
	state->call = call->flags;
	state->enter = s->failed ? reads->enter : 0;
	state->fds = reads->fds;
}

/*
 * Creates a record of the current call's entry. The record is pending on this CPU until it is
 * written to the ring. Returns false if the call must not be recorded.
 */
static __always_inline bool record_entry(struct call *call, enum stack_form form)
{
	const void *regs = call->regs;
	const uint64_t cpu = call->task->stime;
	struct variant_entry reads;
	struct enter_record *r;
	struct scratch *s;
	uint64_t nr;

	call->state->call = 0;
	nr = find_entry(call);
	if (!call->entry || !(call->flags & CALL_WANTED))
		return false;
	s = find_scratch(SCRATCH_CALLS);
	if (!s)
		return false;
	flush_pending(s);
	*(volatile uint64_t *)&s->since = SINCE_UNKNOWN;
	r = (struct enter_record *)s->record;
	begin_call(s, &r->head, call->state, RECORD_ENTER);
	r->head.flags = call->compat ? RECORD_COMPAT : 0;
	r->nr = (uint32_t)nr;
	r->cpu = cpu;
	r->ip = reg_at(regs, setup.pc);
	r->sp = sp_of(regs, call->task);
	record_args(s, r, call);
	if (setup.calls[1].abis[0].used && call->flags & CALL_ARGS) {
		call->first = s->args[0];
		replace_args(s, call->flags);
		choose_call(call);
	}
	if (setup.compares && !are_args_wanted(s, call)) {
		clear_pending(s);
		return false;
	}
	choose_reads(s, call, &reads);
	s->result = -1;
	s->failed = call->flags & CALL_REREAD;
	make_reads(s, reads.enter, CHUNK_MEMORY);
	remember_call(s, call, &reads);
	if (setup.fds)
		append_fds(s, reads.fds);
	if (setup.stack_size && call->flags & CALL_STACK) {
		append_regs(s, regs);
		append_stack(s, regs, call->task, call->state, form);
	}
	/* Read the time as late as possible, because the call begins after this program. */
	r->head.time = bpf_ktime_get_ns();
	*(volatile uint64_t *)&s->since = r->head.time;
	s->entered = 1;
	return true;
}

/*
 * Writes the pending entry of this CPU to the ring. Returns false if the ring was full, so the
 * entry was lost.
 */
static __always_inline bool write_pending(struct scratch *s)
{
	const bool written = write_record(s, &rings);

	if (!written)
		lose_call(s);
	clear_pending(s);
	return written;
}

/*
 * If the record of the current thread's call is pending, writes it to the ring without the call's
 * return. Must be called when other records must follow the entry in the ring, or when the call may
 * return on another CPU.
 */
static __always_inline void write_entry(void)
{
	struct scratch *s = find_scratch(SCRATCH_CALLS);
	struct thread_state *state;

	if (!s || !s->entered || write_pending(s))
		return;
	/* If the entry of a call is lost, the return of the call is not written either. */
	state = find_task(bpf_get_current_task_btf());
	if (state)
		state->call = 0;
}

/*
 * Calls write_entry() when the current thread leaves the CPU. If stacks are wanted, the record also
 * contains the data that the engine needs to read memory of the thread while the thread sleeps.
 */
static __always_inline void write_sleeping_entry(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *s = find_scratch(SCRATCH_CALLS);
	struct chunk_head *h;

	h = s && s->entered && setup.stack_size && bpf_core_field_exists(task->sched_info.pcount)
		    ? chunk_at(s, s->used, RECORD_FULL)
		    : NULL;
	if (h) {
		begin_chunk(h, task->sched_info.pcount, sizeof(uint64_t), CHUNK_SLEEP);
		*(uint64_t *)(h + 1) =
			setup.area.place == WORD_NOWHERE
				? 0
				: thread_area((const void *)bpf_task_pt_regs(task), task);
		s->used += sizeof(*h) + sizeof(uint64_t);
	}
	write_entry();
}

/* -- calls that are only counted ---------------------------------------------------- */

/*
 * Begins to count the current call if counts of it are wanted. Returns false if the call must be
 * recorded instead, because the table of calls has no entry for its number.
 */
static __always_inline bool begin_counted(struct call *call)
{
	struct thread_state *state = call->state;

	state->call = 0;
	state->counted = 0;
	find_entry(call);
	if (call->key == setup.unlisted)
		return false;
	if (call->flags & CALL_NEW_PROGRAM)
		state->flags &= ~THREAD_STARTING;
	if (!(call->flags & CALL_WANTED) || state->flags & THREAD_STARTING)
		return true;
	if (setup.calls[1].abis[0].used && call->flags & CALL_ARGS) {
		call->first = half_reg_at(call->regs, setup.calls[1].args[0]);
		choose_call(call);
	}
	state->counted = call->key + 1;
	state->bytes = call->flags & CALL_BYTES;
	state->began_cpu = call->task->stime;
	state->began = bpf_ktime_get_ns();
	return true;
}

/*
 * Called for a sleeping thread that has made no call since tracing of it began. If the thread
 * sleeps in a call that is counted, sets r->call to this call.
 */
static __always_inline void find_old_call(struct thread_now *r, struct task_struct *task)
{
	struct call call = {.task = task, .regs = (const void *)bpf_task_pt_regs(task)};

	find_entry(&call);
	/* If a thread sleeps outside of calls, the registers do not contain a syscall number. */
	if (call.key == setup.unlisted)
		return;
	if (setup.calls[1].abis[0].used && call.flags & CALL_ARGS) {
		call.first = half_reg_at(call.regs, setup.calls[1].args[0]);
		choose_call(&call);
	}
	if (!(call.flags & CALL_WANTED))
		return;
	r->call = call.key + 1;
	r->old = 1;
}

/* Returns the index of the histogram bucket for a time, see `octaves` in struct keyed_count. */
static __always_inline uint32_t octave_of(uint64_t time)
{
	uint32_t octave = 0;

#pragma unroll
	for (int shift = 32; shift; shift /= 2) {
		if (time >> shift) {
			octave += (uint32_t)shift;
			time >>= shift;
		}
	}
	return octave + (time != 0);
}

static __always_inline struct count_key count_key_of(const struct thread_state *state,
						     uint32_t call, uint32_t error)
{
	return (struct count_key){.call = call,
				  .tgid = setup.count_by & COUNT_BY_PROCESS ? state->tgid : 0,
				  .tid = setup.count_by & COUNT_BY_THREAD ? state->tid : 0,
				  .error = setup.count_by & COUNT_BY_ERROR ? error : 0,
				  .execs = setup.count_by & COUNT_BY_PROGRAM ? state->execs : 0,
				  .cpu = counts_by_thread() ? 0 : bpf_get_smp_processor_id()};
}

/*
 * Returns the element with this key in a map of counts. Adds the element if it does not exist.
 * Returns NULL if the map is full or the kernel has no memory; then the call is counted as lost.
 */
static __always_inline void *find_keyed(void *map, const struct count_key *key, const void *none)
{
	void *n = bpf_map_lookup_elem(map, key);
	struct scratch *s;

	if (n)
		return n;
	bpf_map_update_elem(map, key, none, BPF_NOEXIST);
	n = bpf_map_lookup_elem(map, key);
	s = n ? NULL : find_scratch(SCRATCH_CALLS);
	if (s)
		losses_of(s)->calls++;
	return n;
}

static __always_inline struct call_count *find_count(const struct thread_state *state,
						     uint32_t call, uint32_t error, uint64_t wall)
{
	struct count_key key;
	struct keyed_count *n;

	if (!setup.count_by)
		return bpf_map_lookup_elem(&counts, &call);
	key = count_key_of(state, call, error);
	if (counts_by_thread())
		return find_keyed(&thread_counts, &key, &no_count.sums);
	n = find_keyed(&keyed_counts, &key, &no_count);
	if (!n)
		return NULL;
	if (setup.count_by & COUNT_OCTAVES)
		n->octaves[masked(octave_of(wall), 64)]++;
	return &n->sums;
}

/*
 * Adds the current call of a thread to the counts. `cpu` is the CPU time of the call in
 * nanoseconds, or 0 if the call is still running. `bytes` is the number of transferred bytes.
 */
static __always_inline void count_call(struct thread_state *state, uint64_t cpu, uint32_t error,
				       uint64_t bytes)
{
	const uint64_t wall = bpf_ktime_get_ns() - state->began;
	struct call_count *n = find_count(state, state->counted - 1, error, wall);

	state->counted = 0;
	if (!n)
		return;
	time_sum_add(&n->wall, (struct time_sum){wall, wall, wall}, !n->calls);
	time_sum_add(&n->cpu, (struct time_sum){cpu, cpu, cpu}, !n->calls);
	n->calls++;
	n->errors += error != 0;
	n->bytes += bytes;
}

#define ERRNO_MAX 4095

/*
 * Adds the current call to the counts at its return. Returns false if the call is recorded instead
 * of counted.
 */
static __always_inline bool end_counted(struct call *call, uint32_t entered, int64_t result)
{
	struct thread_state *state = call->state;

	/*
	 * If a seccomp(2) filter has answered the call, no program ran at the call's entry; see
	 * record_late_entry().
	 */
	if (entered == ENTERED_NOT && !begin_counted(call))
		return false;
	if (state->counted)
		count_call(state, call->task->stime - state->began_cpu,
			   result < 0 && result >= -ERRNO_MAX ? (uint32_t)-result : 0,
			   state->bytes && result > 0 ? (uint64_t)result : 0);
	return !state->call;
}

/*
 * Returns the state of the current thread, or NULL if the thread is not traced. Untraced threads
 * are the most frequent case and are recognized fast.
 */
static __always_inline struct thread_state *find_caller(struct task_struct *task)
{
	return is_unknown(task) ? NULL : find_task(task);
}

static __always_inline int enter_call(struct task_struct *task, const void *regs,
				      struct thread_state *state)
{
	struct call call = {.task = task, .regs = regs, .state = state};

	state->entered = ENTERED_CALL;
	if (!setup.counts || !begin_counted(&call))
		record_entry(&call, STACK_PARTS);
	/*
	 * execve(2) replaces the mappings. If the entry stayed pending, it would be reported after
	 * the new mappings, and the stack of the entry would be walked with these mappings.
	 */
	if (setup.stack_size && call.flags & CALL_NEW_PROGRAM)
		write_entry();
	return 0;
}

/* -- the return ------------------------------------------------------------------ */

/*
 * Returns the offset in the scratch record at which to write the return of a call. If the call's
 * entry is pending and short, this is the end of the entry, and both form one record. Otherwise
 * writes a pending entry to the ring and returns 0.
 */
static __always_inline uint64_t offset_of_leave(struct scratch *s)
{
	struct enter_record *r = (struct enter_record *)s->record;
	uint64_t base = s->used & ~7ull;

	if (s->entered && base <= JOINED_MAX) {
		r->leave = base;
		return base;
	}
	flush_pending(s);
	*(volatile uint64_t *)&s->since = SINCE_UNKNOWN;
	return 0;
}

/*
 * Appends the thread's name as the first chunk of the return. Used if the call may have changed the
 * name.
 */
static __always_inline void append_name_of_thread(struct scratch *s, struct leave_record *r)
{
	struct chunk_head *h = (struct chunk_head *)(r + 1);

	r->head.flags = RECORD_NAMED;
	begin_chunk(h, 0, COMM_SIZE, CHUNK_NAME);
	bpf_get_current_comm(h + 1, COMM_SIZE);
	s->used += sizeof(*h) + COMM_SIZE;
}

/*
 * Returns true if the return can be written as a struct return_record. This form is possible if the
 * entry is in the same record, the pc and the stack pointer have not changed since the entry, and
 * the call cannot change the thread's name.
 */
static __always_inline bool is_plain(const struct scratch *s, const struct call *call)
{
	const struct enter_record *r = (const struct enter_record *)s->record;

	return s->base && !(call->flags & CALL_RENAMES) && reg_at(call->regs, setup.pc) == r->ip &&
	       sp_of(call->regs, call->task) == r->sp;
}

/* Writes the fixed part of the record of a return. Returns false if there is no space. */
static __always_inline bool begin_leave(struct scratch *s, const struct call *call, int64_t result)
{
	const uint64_t time = bpf_ktime_get_ns(), cpu = call->task->stime;
	struct return_record *brief;
	struct leave_record *r;
	uint64_t base = s->base & ~7ull;

	if (s->since == SINCE_UNKNOWN)
		*(volatile uint64_t *)&s->since = time;
	s->result = result;
	if (!bounded(base, JOINED_MAX))
		return false;
	if (is_plain(s, call)) {
		brief = (struct return_record *)(s->record + base);
		brief->time = time;
		brief->tid = call->state->tid;
		*(uint32_t *)&brief->kind = RECORD_RETURN;
		brief->ret = result;
		brief->cpu = cpu;
		s->used = base + sizeof(*brief);
		return true;
	}
	r = (struct leave_record *)(s->record + base);
	begin_call(s, &r->head, call->state, RECORD_LEAVE);
	r->head.time = time;
	r->ret = result;
	r->ip = reg_at(call->regs, setup.pc);
	r->sp = sp_of(call->regs, call->task);
	r->cpu = cpu;
	s->used = base + sizeof(*r);
	if (call->flags & CALL_RENAMES)
		append_name_of_thread(s, r);
	return true;
}

/* Reads memory that the call may have changed, and memory that could not be read at the entry. */
static __always_inline void read_at_leave(struct scratch *s, const struct call *call)
{
	const struct thread_state *state = call->state;

	if (!(state->leave | state->enter))
		return;
	s->args[WANTED_SP] = sp_of(call->regs, call->task);
	store_args(s, call->regs, call->compat);
	if (setup.calls[1].abis[0].used)
		replace_args(s, call->flags);
	make_reads(s, state->leave, CHUNK_MEMORY);
	make_reads(s, state->enter, CHUNK_AGAIN);
}

/*
 * Records the entry of a call that a seccomp(2) filter has answered. For such a call, the kernel
 * does not run the tracepoint sys_enter, so the entry is recorded at sys_exit.
 */
static __noinline int record_late_entry(struct call *call)
{
	return record_entry(call, STACK_PAGES);
}

static __always_inline void record_return(struct scratch *s, struct call *call, int64_t result)
{
	struct thread_state *state = call->state;

	s->base = offset_of_leave(s);
	if (!begin_leave(s, call, result))
		return;
	read_at_leave(s, call);
	if (ALL_FILES)
		append_new_fds(s, state->fds, result);
	/*
	 * A signal arrived during the call. The signal will be reported after the call, with the
	 * call's stack. Therefore record the stack now.
	 */
	if (state->ignored) {
		state->ignored = 0;
		call->flags |= CALL_NEW_PROGRAM;
	}
	if (setup.stack_size && call->flags & CALL_NEW_PROGRAM) {
		append_regs(s, call->regs);
		append_stack(s, call->regs, call->task, state, STACK_PAGES);
	}
}

/*
 * The lowest of the error codes that the kernel uses only internally. If a call has such a result,
 * the kernel may restart it.
 */
#define ERESTARTSYS 512

/* Returns true if a call with this result must be recorded. */
static __always_inline bool is_result_wanted(const struct call *call, int64_t result, uint64_t ns)
{
	const volatile struct setup_results *r = &setup.results;

	if (ns < r->ns_min || ns > r->ns_max)
		return false;
	if (result < 0 && result >= -ERRNO_MAX)
		return r->fails || result <= -ERESTARTSYS;
	return r->succeeds && (call->compat || (result >= r->ret_min && result <= r->ret_max));
}

/*
 * Called at the return of a call. If the call need not be recorded and its entry is still pending,
 * removes the entry and returns true. Otherwise returns false.
 */
static __always_inline bool drop_call(struct scratch *s, const struct call *call, int64_t result)
{
	const struct enter_record *r = (const struct enter_record *)s->record;

	if (!(call->flags & CALL_DROPS) || !s->entered || call->state->ignored ||
	    is_result_wanted(call, result, bpf_ktime_get_ns() - r->head.time))
		return false;
	clear_pending(s);
	if (setup.stack_size)
		forget_stacks(s);
	return true;
}

static __always_inline int leave_call(struct task_struct *task, const void *regs,
				      struct thread_state *state, int64_t result)
{
	struct call call = {.task = task, .regs = regs, .state = state};
	const uint32_t entered = state->entered;
	struct scratch *s;
	bool joined;

	state->entered = ENTERED_NOT;
	if (setup.counts && end_counted(&call, entered, result))
		return 0;
	if (entered == ENTERED_NOT && !record_late_entry(&call))
		return 0;
	call.flags = state->call;
	if (!call.flags)
		return 0;
	state->call = 0;
	call.compat = is_compat(regs, task);
	s = find_scratch(SCRATCH_CALLS);
	if (!s)
		return 0;
	if (setup.drops && drop_call(s, &call, result))
		return 0;
	record_return(s, &call, result);
	joined = s->entered;
	if (!write_record(s, &rings)) {
		if (joined)
			losses_of(s)->calls++;
		else
			losses_of(s)->results++;
		forget_stacks(s);
	}
	clear_pending(s);
	return 0;
}

#endif
