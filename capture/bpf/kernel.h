/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The half of the engine that is in the kernel: its maps, programs and rings, loaded and attached.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_H
#define TRACER_CAPTURE_BPF_KERNEL_H

#include "capture/bpf/records.h"
#include "capture/capture.h"

struct capture_wants;
struct order;

#define KERNEL_STACK_MAX (STACK_ROOM - 8192)

struct kernel_config {
	size_t buffer_size;   /* bytes of a ring for calls, 0: as many as seem right */
	uint32_t stack_size;  /* bytes of stack of each call that is to have one, and of signals:
				 whole pages, at most KERNEL_STACK_MAX */
	char *const *cgroups; /* of struct capture_config */
	unsigned ncgroups;
	const struct capture_wants *wants;
};

struct kernel;

/*
 * Loads everything, but attaches nothing yet. Returns NULL after one message that says what is
 * missing: privileges, or what the kernel does not have.
 */
struct kernel *kernel_open(const struct kernel_config *config);
/* Detaches and unloads. NULL is fine. */
void kernel_close(struct kernel *k);

/* Attaches the programs, if they are not yet. Returns 0 or -errno. */
int kernel_attach(struct kernel *k);
/* Detaches them: nothing is written any more, but what was can still be read. */
void kernel_detach(struct kernel *k);
/* Detaches them while threads still run, and has everything written that they have captured. */
void kernel_finish(struct kernel *k);

/*
 * Traces a thread from now on. Ids are those of our pid namespace; group is as in struct tcb.
 * Returns 0 or -errno: -ESRCH if there is no such thread, -EINVAL if the kernel finds leaders of
 * processes only.
 */
int kernel_add(struct kernel *k, pid_t tid, pid_t tgid, unsigned group, bool follow);
/* No longer. */
void kernel_remove(struct kernel *k, pid_t tid, pid_t tgid);

/* The stream of records. */
struct order *kernel_order(struct kernel *k);
unsigned kernel_cpus(const struct kernel *k);
/*
 * A buffer is two rings, one for calls and one for everything else. Each CPU has one for each
 * control group, so that what one group does is no reason to lose what another one does.
 */
unsigned kernel_buffers(const struct kernel *k);
/* The buffer of ring number `ring` of the stream. */
static inline unsigned kernel_buffer(unsigned ring)
{
	return ring / 2;
}
/* Whose a buffer is. */
unsigned kernel_buffer_cpu(const struct kernel *k, unsigned buffer);
unsigned kernel_buffer_group(const struct kernel *k, unsigned buffer);
/* What could so far not be written to a buffer of calls; */
const struct losses *kernel_losses(const struct kernel *k, unsigned buffer);
/* of births, ends and signals of threads; */
uint64_t kernel_lost_others(const struct kernel *k, unsigned buffer);
/* and of signals that are ignored. */
uint64_t kernel_lost_ignored(const struct kernel *k, unsigned buffer);
/*
 * The time before which no CPU will put records into its rings any more: at most now, which is that
 * of CLOCK_MONOTONIC in nanoseconds. 0 if that cannot be told at the moment. A call that is busy in
 * the kernel for more than 20 milliseconds is not waited for.
 */
uint64_t kernel_settled(const struct kernel *k, uint64_t now);
/* See loaded_misses(). */
uint64_t kernel_misses(const struct kernel *k);
/* How full the fullest ring is, in 256ths. */
unsigned kernel_fill(const struct kernel *k);

#endif
