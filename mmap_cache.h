/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces and their executable maps.
 *
 * One struct address_space per mm, shared by the tcbs of all threads (and
 * vfork children) that run in it. mmap_cache_generation counts mapping changes
 * of all tracees; each change stamps the address space it happened in, and
 * only that one. A view is valid while it carries its address space's stamp.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include "defs.h"
#include "tracee.h"

extern uint64_t mmap_cache_generation;

/* What a row's MM_* flags say of a syscall; see linux/syscall_desc.h. */
enum mm_change {
	MM_NONE,
	MM_MMAP,	/* addr, length, prot, flags: counts with PROT_EXEC, or MAP_FIXED over code */
	MM_MUNMAP,	/* addr, length */
	MM_MPROTECT,	/* addr, length, prot */
	MM_MREMAP,	/* old, old length, new length, flags, new */
	MM_REMAP_PAGES, /* addr, size */
	MM_SHMAT,	/* shmid, addr, flags: counts with SHM_EXEC */
	MM_SHMDT,	/* addr */
	MM_ARCH_PRCTL,	/* op, addr: ARCH_MAP_VDSO_* */
	MM_BRK		/* never executable without READ_IMPLIES_EXEC */
};

/* Life of an address space, told by the event loop's owner. */
void mmap_cache_attach(struct tcb *tcb);				  /* unknown origin: tgid, kcmp */
void mmap_cache_fork(struct tcb *parent, struct tcb *child, bool shared); /* shared: CLONE_VM, vfork */
void mmap_cache_exec(struct tcb *tcb);
void mmap_cache_release(struct tcb *tcb);

/* A change by tcb is about to happen, and has happened (failed: it did not). */
void mmap_cache_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

#endif
