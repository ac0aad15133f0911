/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes the memory of stopped tracees: by process_vm_readv(2) and process_vm_writev(2),
 * or by PTRACE_PEEKDATA and PTRACE_POKEDATA where those are not permitted. Everybody else reads
 * through capture/memory.h.
 */
#ifndef TRACER_CAPTURE_PTRACE_TRACEE_MEM_H
#define TRACER_CAPTURE_PTRACE_TRACEE_MEM_H

#include "capture/memory.h"

struct tcb;

/* The operations of live_memory in struct tracee. */
extern const struct memory_ops tracee_memory_ops;

/*
 * Writes n bytes, or as many as can be written in one piece from addr on. Returns how many were
 * written, or -errno if the first one could not be. Only tampering (tamper/tamper.h) needs this.
 */
ssize_t tracee_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n) attr_must_check;

#endif
