/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes the memory of stopped tracees, with process_vm_readv(2) and process_vm_writev(2)
 * or, if these are not permitted, with PTRACE_PEEKDATA and PTRACE_POKEDATA. All other code reads
 * memory through capture/memory.h.
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_MEM_H
#define TRACER_CAPTURE_PTRACE_TRACEE_MEM_H

#include "capture/memory.h"

struct tcb;

/* The functions for live_memory in struct tracee. */
extern const struct memory_ops tracee_memory_ops;

/*
 * Writes n bytes at addr, or fewer if some of the range cannot be written. Returns the number of
 * bytes written, or -errno if the first byte cannot be written. Needed only for tampering
 * (tamper/tamper.h).
 */
ssize_t tracee_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n) attr_must_check;

#endif
