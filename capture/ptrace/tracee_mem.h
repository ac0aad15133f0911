/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of tracees: the only reader and poker of it. process_vm_readv(2),
 * or PTRACE_PEEKDATA where that is not permitted. Nothing here ever fails
 * louder than a negative errno.
 */
#ifndef TRACER_TRACEE_MEM_H
#define TRACER_TRACEE_MEM_H

#include "defs.h"

struct tcb;

/* Reads exactly n bytes; 0, or -errno (-EFAULT: not all of it can be read). */
int tracee_read(const struct tcb *tcb, uint64_t addr, void *buf, size_t n) attr_must_check;
/* Reads up to n bytes, as many as are readable from addr on: their count, or -errno when none is.
 */
ssize_t tracee_read_some(const struct tcb *tcb, uint64_t addr, void *buf, size_t n);
/*
 * Reads a string of up to n bytes: the count of bytes before the NUL, or n when
 * there is no NUL within them; -errno when memory ends before either.
 */
ssize_t tracee_read_string(const struct tcb *tcb, uint64_t addr, char *buf, size_t n);
/* Writes exactly n bytes; 0 or -errno. For injection only. */
int tracee_write(const struct tcb *tcb, uint64_t addr, const void *buf, size_t n) attr_must_check;

struct tracee_read_op {
	uint64_t addr;
	void *buf;
	size_t n;
	ssize_t got; /* filled in: bytes read, or -errno */
};

/* Several reads in one kernel call; each op gets its own result. */
void tracee_read_batch(const struct tcb *tcb, struct tracee_read_op *ops, size_t count);

/*
 * For tests: while reader is set, memory comes from it and no process is
 * touched. Returns bytes read from addr (0..n), or -errno.
 */
typedef ssize_t tracee_mem_reader(void *ctx, uint64_t addr, void *buf, size_t n);
void tracee_mem_fake(tracee_mem_reader *reader, void *ctx);

#endif
