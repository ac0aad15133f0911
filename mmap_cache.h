/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces and their executable maps.
 *
 * One struct address_space per mm, shared by the tcbs of all threads (and
 * vfork children) that run in it. mmap_cache_generation counts mapping changes
 * of all tracees; each change stamps the address space it happened in, and
 * only that one. A view is valid while it carries its address space's stamp.
 *
 * The table of an address space holds only what walks have asked for, and only
 * executable mappings: one kernel query a mapping (PROCMAP_QUERY, Linux 6.11),
 * or the text of /proc/TID/maps, see proc_pid_maps(5). A dropped range is asked
 * for again when a walk next needs it.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include "defs.h"
#include "stack/files/map_table.h"
#include "capture/capture.h"

extern uint64_t mmap_cache_generation;

/* What a row's MM_* flags say of a syscall; see linux/syscall_desc.h. */
enum mm_change {
	MM_NONE,
	MM_MMAP,     /* addr, length, prot, flags: counts with PROT_EXEC, or MAP_FIXED over code */
	MM_MUNMAP,   /* addr, length */
	MM_MPROTECT, /* addr, length, prot */
	MM_MREMAP,   /* old, old length, new length, flags, new */
	MM_REMAP_PAGES, /* addr, size */
	MM_SHMAT,	/* shmid, addr, flags: counts with SHM_EXEC */
	MM_SHMDT,	/* addr */
	MM_ARCH_PRCTL,	/* op, addr: ARCH_MAP_VDSO_* */
	MM_BRK,		/* never executable without READ_IMPLIES_EXEC */
	MM_CLONE /* flags: without -f a task that is not traced may share the mm from here on */
};

struct mmap_cache_config {
	bool follow;   /* every task that may share memory is traced (-f) */
	bool debug;    /* each cache event is told on stderr */
	bool no_query; /* for tests: read the text even where PROCMAP_QUERY exists */
};
void mmap_cache_configure(const struct mmap_cache_config *config);

struct mmap_cache_counters {
	uint64_t queries;    /* PROCMAP_QUERY calls */
	uint64_t reads;	     /* of the text of maps */
	uint64_t increments; /* of mmap_cache_generation */
	uint64_t dropped;    /* mappings dropped from tables */
	uint64_t stale;	     /* mappings found changed by somebody not traced */
};
const struct mmap_cache_counters *mmap_cache_counters(void);

/* Life of an address space, told by the event loop's owner. */
void mmap_cache_attach(struct tcb *tcb); /* unknown origin: tgid, kcmp */
void mmap_cache_fork(struct tcb *parent, struct tcb *child,
		     bool shared); /* shared: CLONE_VM, vfork */
void mmap_cache_exec(struct tcb *tcb);
void mmap_cache_release(struct tcb *tcb);

/* A change by tcb is about to happen, and has happened (failed: it did not). */
void mmap_cache_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * A walk of tcb's stack begins: what is found from here on holds until the
 * next walk of any thread. Where a task that is not traced may share the
 * memory, each mapping is looked at again once a walk.
 */
void mmap_cache_walk(struct tcb *tcb);
/* The executable mapping at addr, or NULL. Borrowed until the next walk; mapping_get() keeps it. */
struct mapping *mmap_cache_find(struct tcb *tcb, uint64_t addr);
/*
 * The id of the table that answers, if all of its answers hold for this walk without another look;
 * 0 if not: a change is in flight, or somebody not traced may make one. A table never changes, so
 * what was found under an id may be kept under it; it is gone when no look-up has the id any more.
 */
uint64_t mmap_cache_settled(const struct tcb *tcb);
/* The address space's stamp, for a view's tcb->mmap_cache_generation. */
uint64_t mmap_cache_stamp(const struct tcb *tcb);

#endif
