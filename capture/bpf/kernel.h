/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel side of the engine: its maps, programs and rings. */
#ifndef TRACER_CAPTURE_BPF_KERNEL_H
#define TRACER_CAPTURE_BPF_KERNEL_H

#include "capture/bpf/map_values.h"
#include "capture/capture.h"

struct capture_wants;
struct order;
struct strbuf;

#define KERNEL_STACK_MAX (STACK_ROOM - 8192)

struct kernel_config {
	size_t buffer_size;   /* size of a ring for calls in bytes; 0 means the default */
	uint32_t stack_size;  /* number of stack bytes to record for signals and for calls that need
				 stacks: a multiple of the page size, at most KERNEL_STACK_MAX */
	char *const *cgroups; /* directories of control groups, as in struct capture_config */
	unsigned ncgroups;
	const struct capture_wants *wants;
};

struct kernel;

/*
 * Loads the programs and their maps, but does not attach the programs. On failure, prints one
 * message that names the missing privilege or kernel feature, and returns NULL.
 */
struct kernel *kernel_open(const struct kernel_config *config);
/* Detaches and unloads everything. k may be NULL. */
void kernel_close(struct kernel *k);

/* Attaches the programs that are not attached yet. Returns 0 or -errno. */
int kernel_attach(struct kernel *k);
/*
 * Detaches the programs, so no more records are written. Records that have already been written can
 * still be read.
 */
void kernel_detach(struct kernel *k);
/*
 * Detaches the programs while threads still run. If the record of a call's entry is pending on a
 * CPU (not in the CPU's ring yet), makes the CPU write this record.
 */
void kernel_finish(struct kernel *k);

/*
 * Starts tracing a thread. tid and tgid are ids in our pid namespace. `group` has the same meaning
 * as in struct tcb. `flags` are bits of enum thread_flag. Returns 0 or -errno: -ESRCH if there is
 * no such thread, -EINVAL if the kernel is too old to trace a thread that is not a leader.
 */
int kernel_add(struct kernel *k, pid_t tid, pid_t tgid, unsigned group, unsigned flags);
/* Stops tracing a thread. */
void kernel_remove(struct kernel *k, pid_t tid, pid_t tgid);

/* Returns the stream of records. */
struct order *kernel_order(struct kernel *k);
unsigned kernel_cpus(const struct kernel *k);
/*
 * Returns the number of buffers. A buffer consists of two rings, one for calls and one for
 * everything else. Each CPU has a buffer for each control group, so that events of one group cannot
 * cause losses in another.
 */
unsigned kernel_buffers(const struct kernel *k);
/* Returns the buffer that contains ring number `ring` of the stream. */
static inline unsigned kernel_buffer(unsigned ring)
{
	return ring / 2;
}
/*
 * kernel_buffer_cpu() returns the CPU of a buffer. kernel_buffer_group() returns the control group
 * of a buffer.
 */
unsigned kernel_buffer_cpu(const struct kernel *k, unsigned buffer);
unsigned kernel_buffer_group(const struct kernel *k, unsigned buffer);
/* Returns the losses of a buffer so far. Only `calls` and `results` are set in the result. */
const struct losses *kernel_losses(const struct kernel *k, unsigned buffer);
/*
 * Returns how many forks, execs, exits, delivered signals and page faults were lost from a buffer.
 */
uint64_t kernel_lost_others(const struct kernel *k, unsigned buffer);
/* Returns how many ignored signals, context switches and wake-ups were lost from a buffer. */
uint64_t kernel_lost_ignored(const struct kernel *k, unsigned buffer);
/*
 * Returns true if the programs have seen no call of a traced thread yet, neither an entry nor a
 * return.
 */
bool kernel_is_silent(const struct kernel *k, pid_t tid, pid_t tgid);
/* Returns true if the programs report context switches and wake-ups. */
bool kernel_reports_sched(const struct kernel *k);
/* Adds the calls that are still running to the counts; see loaded_count_running(). */
int kernel_count_running(const struct kernel *k);
/*
 * Stores the next count of calls in *sum. Returns false if there are no more counts; see
 * counts_next().
 */
bool kernel_next_count(struct kernel *k, struct capture_counts *sum);
/* Must be called when a thread begins or has ended; see capture/bpf/thread_counts.h. */
void kernel_thread_began(struct kernel *k, pid_t tid);
void kernel_thread_ended(struct kernel *k, pid_t tid, pid_t heir);
/* Lists the traced threads; see loaded_list_threads(). */
int kernel_list_threads(const struct kernel *k, struct strbuf *b);
/*
 * Returns a time (CLOCK_MONOTONIC, in nanoseconds) before `now`, or 0 if it cannot be determined.
 * All records from before this time are in the rings, except records that have been pending on
 * their CPU for more than 20 ms.
 */
uint64_t kernel_settled(const struct kernel *k, uint64_t now);
/* Returns an upper bound for the number of missed events; see loaded_misses(). */
uint64_t kernel_misses(const struct kernel *k);
/* Returns the fill level of the fullest ring, in 256ths of the ring's size. */
unsigned kernel_fill(const struct kernel *k);

#endif
