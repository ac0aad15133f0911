/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of stopped tracees: the only reader and poker of it. process_vm_readv(2),
 * or PTRACE_PEEKDATA where that is not permitted. Reading goes by way of capture/memory.h.
 */
#ifndef TRACER_TRACEE_MEM_H
#define TRACER_TRACEE_MEM_H

#include "capture/memory.h"

struct tcb;

/* For struct tracee's live_memory. */
extern const struct memory_ops tracee_memory_ops;

/*
 * Writes n bytes, or as many as can be written from the first on; how many, or -errno if not even
 * the first can. For injection only.
 */
ssize_t tracee_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n) attr_must_check;

#endif
