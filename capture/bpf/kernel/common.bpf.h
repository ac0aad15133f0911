/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The maps of the programs, and functions that several programs use. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_COMMON_H
#define TRACER_CAPTURE_BPF_KERNEL_COMMON_H

#include "capture/bpf/kernel/types.bpf.h"
#include "capture/bpf/map_values.h"

#define PAGE	  4096
#define COMM_SIZE 16 /* size in bytes of a thread's name */
#define EBADF	  9
#define EFAULT	  14

const volatile struct setup setup;

/* For maps with max_entries 1, the engine sets the real size before it creates the map. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_state);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct thread_state);
} threads_by_id SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_entry);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct variant_key);
	__type(value, struct variant_entry);
} variants SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct read_op);
} ops SEC(".maps");

/* The conditions on the arguments of calls. Created only if there are such conditions. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_conditions);
} conditions SEC(".maps");

/* A struct scratch for each value of enum scratch_of on each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct scratch);
} scratches SEC(".maps");

/* Two rings for each buffer: one for calls, and one for everything else. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} rings SEC(".maps"), events SEC(".maps");

/* One element per buffer. Created only if stacks are wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct stack_kept);
} kept SEC(".maps");

/* The control groups whose processes are traced. Created only if control groups are traced. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} cgroups SEC(".maps");

/*
 * Tracer's process, pid namespace and root directory. The program `own_namespace` sets these
 * variables.
 */
struct {
	uint32_t level; /* level of our pid namespace; 0 is the first one */
	int32_t tgid;	/* tracer's process in the first pid namespace */
	uint64_t ns;	/* address of our pid namespace in the kernel */
	/* tracer's root directory, at which recorded paths start */
	uint64_t root_mnt, root_dentry;
} own;

/* The counts of calls, indexed like `calls`. Created only if calls are counted. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_count);
} counts SEC(".maps");

/*
 * The counts by key. Created only if calls are counted by more than their number (enum count_by).
 * Each key contains its CPU. A map of type BPF_MAP_TYPE_PERCPU_HASH would need per-CPU memory for
 * each new key, which the kernel cannot allocate fast enough here if many keys are new.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, COUNT_KEYS_MAX);
	__type(key, struct count_key);
	__type(value, struct keyed_count);
} keyed_counts SEC(".maps");

/*
 * The counts by thread, and perhaps by other properties. Used instead of keyed_counts if calls are
 * counted by thread without histograms. Only the thread itself changes its counts, so they are not
 * divided by CPU.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, COUNT_KEYS_MAX);
	__type(key, struct count_key);
	__type(value, struct call_count);
} thread_counts SEC(".maps");

/* Returns true if thread_counts is used. */
static __always_inline bool counts_by_thread(void)
{
	return setup.count_by & COUNT_BY_THREAD && !(setup.count_by & COUNT_OCTAVES);
}

/*
 * The initial value of an element in keyed_counts. The value is too large for the stack of a BPF
 * program.
 */
struct keyed_count no_count;

/*
 * True if n is at most `max`. Makes the compiler keep n in one register, because the kernel's
 * verifier learns the bounds of that register only.
 */
#define bounded(n, max)                                                                            \
	({                                                                                         \
		asm volatile("" : "+r"(n));                                                        \
		bool within = false;                                                               \
		if ((n) <= (max)) {                                                                \
			asm volatile("" : "+r"(n));                                                \
			within = true;                                                             \
		}                                                                                  \
		within;                                                                            \
	})

/*
 * The value i modulo `length`, for use as an array index. `length` must be a power of two. The
 * compiler cannot remove the bit mask, which the kernel's verifier needs.
 */
#define masked(i, length)                                                                          \
	({                                                                                         \
		uint64_t index = (i);                                                              \
		asm volatile("" : "+r"(index));                                                    \
		index &((length)-1);                                                               \
	})

/* Reads 8 bytes of kernel memory as a number. Returns 0 on failure. */
static __always_inline uint64_t kernel_word(const void *at)
{
	uint64_t word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), at);
	return word;
}

/* Offset in bytes of the namespace in struct upid. The id is at offset 0. */
#define UPID_NS 8

/*
 * A struct pid contains a struct upid for each level of pid namespaces. Returns the address of the
 * struct upid for the level of tracer's namespace.
 */
static __always_inline const char *our_upid(const struct pid *pid)
{
	return (const char *)pid + bpf_core_field_offset(struct pid, numbers) +
	       own.level * sizeof(((struct fork_record *)0)->ids[0]);
}

/* -- threads ----------------------------------------------------------------- */

static __always_inline struct thread_state *find_task(struct task_struct *task)
{
	if (setup.by_id) {
		uint32_t id = (uint32_t)task->pid;

		return bpf_map_lookup_elem(&threads_by_id, &id);
	}
	return bpf_task_storage_get(&threads, task, NULL, 0);
}

/*
 * Like find_task(), but adds the thread if it is unknown. Returns NULL if the kernel has no memory
 * for its state, or if the map is full.
 */
static __always_inline struct thread_state *add_task(struct task_struct *task)
{
	if (setup.by_id) {
		const struct thread_state none = {0};
		uint32_t id = (uint32_t)task->pid;

		bpf_map_update_elem(&threads_by_id, &id, &none, BPF_NOEXIST);
		return bpf_map_lookup_elem(&threads_by_id, &id);
	}
	return bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/*
 * Returns true if the thread is certainly not traced, because no BPF program on this machine has
 * stored data for it. Always returns false if the kernel does not show this.
 */
static __always_inline bool is_unknown(const struct task_struct *task)
{
	return !setup.by_id && bpf_core_field_exists(task->bpf_storage) && !task->bpf_storage;
}

/*
 * Returns the id of a thread or process in tracer's pid namespace, or 0 if it has none there.
 * Compares the namespaces too, because several namespaces can have the same level.
 */
static __always_inline uint32_t our_id(const struct pid *pid)
{
	if (BPF_CORE_READ(pid, level) < own.level || kernel_word(our_upid(pid) + UPID_NS) != own.ns)
		return 0;
	return (uint32_t)kernel_word(our_upid(pid));
}

/*
 * Returns the id of a thread or, if `group` is set, of its process. The id belongs to tracer's pid
 * namespace. Returns 0 if there is no id in that namespace.
 */
static __always_inline uint32_t id_of(struct task_struct *task, bool group)
{
	if (!own.level)
		return (uint32_t)(group ? task->tgid : task->pid);
	if (group)
		return our_id(BPF_CORE_READ(task, group_leader, thread_pid));
	return our_id(BPF_CORE_READ(task, thread_pid));
}

/* -- registers --------------------------------------------------------------- */

static __always_inline uint64_t reg_at(const void *regs, uint64_t at)
{
	return *(const volatile uint64_t *)((const char *)regs + at);
}

static __always_inline uint32_t half_reg_at(const void *regs, uint64_t at)
{
	return *(const volatile uint32_t *)((const char *)regs + at);
}

/* Returns true if the current call belongs to a compat ABI. */
static __always_inline bool is_compat(const void *regs, const struct task_struct *task)
{
	if (setup.compat.place == WORD_IN_REGS)
		return half_reg_at(regs, setup.compat.at) & setup.compat_bit;
	if (setup.compat.place == WORD_IN_TASK)
		return task->thread_info.status & setup.compat_bit;
	return false;
}

static __always_inline uint64_t sp_of(const void *regs, const struct task_struct *task)
{
	if (setup.calls[1].sp != setup.calls[0].sp && is_compat(regs, task))
		return half_reg_at(regs, setup.calls[1].sp);
	return reg_at(regs, setup.calls[0].sp);
}

/* -- the current record ---------------------------------------------------- */

static __always_inline struct scratch *find_scratch(enum scratch_of whose)
{
	uint32_t key = bpf_get_smp_processor_id() + whose * setup.cpus;

	return bpf_map_lookup_elem(&scratches, &key);
}

/* Returns the index of the buffer to which the current record will be written. */
static __always_inline uint32_t buffer_of(const struct scratch *s)
{
	const uint32_t cpu = bpf_get_smp_processor_id();

	return setup.groups < 2 ? cpu : cpu + s->group * setup.cpus;
}

static __always_inline struct losses *losses_of(struct scratch *s)
{
	uint64_t group = setup.groups < 2 ? 0 : masked(s->group, RECORD_GROUPS_MAX);

	return &s->losses[group];
}
_Static_assert((RECORD_GROUPS_MAX & (RECORD_GROUPS_MAX - 1)) == 0, "a mask bounds a group");

/* Initializes the header of a record, except its time and its losses. */
static __always_inline void begin_head(struct scratch *s, struct record *r,
				       const struct thread_state *state, enum record_kind kind)
{
	r->tid = state->tid;
	/* this also clears the flags, which are stored after `kind` */
	*(uint32_t *)&r->kind = kind;
	if (setup.groups > 1)
		s->group = state->group;
}

/*
 * Writes the record to the ring of its buffer in the map `to`, which is `rings` or `events`.
 * Returns false if the ring has no space for it.
 */
static __always_inline bool write_record(struct scratch *s, void *to)
{
	uint32_t buffer = buffer_of(s);
	uint64_t used = s->used;
	void *ring = bpf_map_lookup_elem(to, &buffer);

	if (!ring)
		return false;
	return bounded(used, sizeof(s->record)) &&
	       !bpf_ringbuf_output(ring, s->record, used, BPF_RB_NO_WAKEUP);
}

static __always_inline uint64_t arg_of(const struct scratch *s, uint64_t i)
{
	return s->args[masked(i, 8)];
}

/*
 * Returns the address of offset `at` in the record, where a chunk header can be written. Returns
 * NULL if `at` is above `full`.
 */
static __always_inline struct chunk_head *chunk_at(struct scratch *s, uint64_t at, uint64_t full)
{
	at &= ~7ull;
	if (!bounded(at, full))
		return NULL;
	return (struct chunk_head *)(s->record + at);
}

static __always_inline void begin_chunk(struct chunk_head *h, uint64_t addr, int32_t size,
					uint32_t what)
{
	h->addr = addr;
	h->size = size;
	h->what = what;
}

#endif
