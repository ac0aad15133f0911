/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces and their executable maps.
 *
 * One struct address_space per mm, shared by all threads (and vfork children)
 * that run in it; each thread has a struct mm_task. mmap_cache_generation
 * counts mapping changes of all tracees; each change stamps the address space
 * it happened in, and only that one. A view is valid while it carries its
 * address space's stamp.
 *
 * The table of an address space holds only what walks have asked for, and only
 * executable mappings: one question a mapping, or a whole list, to a source of
 * maps (stack/files/map_source.h). A dropped range is asked for again when a
 * walk next needs it.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include "defs.h"

struct map_source;
struct mapping;
struct mm_task;
struct mmap_cache;

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
	MM_ARCH_PRCTL,	/* one of the operations that map the vdso, anywhere */
	MM_BRK,		/* never executable without READ_IMPLIES_EXEC */
	MM_CLONE /* flags: without -f a task that is not traced may share the mm from here on */
};

struct mmap_cache_config {
	bool follow;   /* every task that may share memory is traced (-f) */
	bool debug;    /* each cache event is told on stderr */
	bool no_query; /* for tests: ask for lists even where single mappings can be had */
};

/* source: borrowed. */
struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source);
/* All tasks must have been released. NULL is fine. */
void mmap_cache_destroy(struct mmap_cache *c);

struct mmap_cache_counters {
	uint64_t queries;    /* questions for one mapping */
	uint64_t reads;	     /* of whole lists */
	uint64_t increments; /* of mmap_cache_generation */
	uint64_t dropped;    /* mappings dropped from tables */
	uint64_t stale;	     /* mappings found changed by somebody not traced */
};
const struct mmap_cache_counters *mmap_cache_counters(const struct mmap_cache *c);
uint64_t mmap_cache_generation(const struct mmap_cache *c);

/*
 * Life of a thread's view, told by the event loop's owner; the view is the caller's until
 * mmap_cache_release(). Ids are those of the tracer's pid namespace.
 */
/* A thread of unknown origin: by its tgid, or by asking, it is found what it shares. started: it
 * is the command. */
struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started);
/* shared: CLONE_VM, vfork. */
struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared);
/* Its memory is new; a thread that is not the first of its process has the id of that one now. */
void mmap_cache_exec(struct mm_task *t, pid_t tid);
void mmap_cache_release(struct mm_task *t); /* NULL is fine */

/*
 * A change by t is about to happen, and has happened (failed: it did not). args are those of the
 * row that change is of, those of old mmap(2) spread out; NULL: they could not be had.
 */
void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * A walk of t's stack begins: what is found from here on holds until the
 * next walk of any thread. Where a task that is not traced may share the
 * memory, each mapping is looked at again once a walk.
 */
void mmap_cache_walk(struct mm_task *t);
/* It ended: the view has seen its address space as it is. */
void mmap_cache_walked(struct mm_task *t);
/* The executable mapping at addr, or NULL. Borrowed until the next walk; mapping_get() keeps it. */
struct mapping *mmap_cache_find(struct mm_task *t, uint64_t addr);
/*
 * The id of the table that answers, if all of its answers hold for this walk without another look;
 * 0 if not: a change is in flight, or somebody not traced may make one. A table never changes, so
 * what was found under an id may be kept under it; it is gone when no look-up has the id any more.
 */
uint64_t mmap_cache_settled(const struct mm_task *t);
/* The stamp of the address space that t runs in. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

#endif
