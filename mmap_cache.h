/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces and their executable maps.
 *
 * There is one struct address_space for each mm of the kernel, shared by all threads (and vfork
 * children) that run in it; each thread has a struct mm_task, its view. mmap_cache_generation
 * counts the mapping changes of all tracees. A change stamps the address space in which it
 * happened with that count. A view is valid while it carries the stamp of its address space.
 *
 * The table of an address space contains executable mappings only, and only those that walks have
 * asked for. They come from a source of maps (stack/files/map_source.h), one by one or as a whole
 * list. After a change the mappings in its range are dropped, and asked for again when a walk needs
 * them.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include "defs.h"

struct map_source;
struct map_table;
struct mapping;
struct mm_task;
struct mmap_cache;

/*
 * How a syscall may change mappings, as the rows of syscalls state it (linux/syscall_desc.h). The
 * comments list the arguments that matter.
 */
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
	bool debug;    /* print each cache event to stderr */
	bool no_query; /* for tests: ask for lists only, never for single mappings */
};

/* source is borrowed and must outlive the cache. Never NULL. */
struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source);
/* All tasks must have been released. NULL is fine. */
void mmap_cache_destroy(struct mmap_cache *c);

struct mmap_cache_counters {
	uint64_t queries;    /* questions for one mapping */
	uint64_t reads;	     /* questions for whole lists */
	uint64_t increments; /* of mmap_cache_generation */
	uint64_t dropped;    /* mappings dropped from tables */
	uint64_t stale;	     /* mappings that a thread changed which is not traced */
};
/* The counters, owned by c. */
const struct mmap_cache_counters *mmap_cache_counters(const struct mmap_cache *c);
/* The number of mapping changes of all tracees so far. */
uint64_t mmap_cache_generation(const struct mmap_cache *c);

/*
 * The functions below begin and end a thread's view. The caller owns the view until
 * mmap_cache_release(). Ids are those of the tracer's pid namespace.
 */

/*
 * The view of a thread of which only the ids are known: the source is asked whose memory it shares.
 * started: it is the command that we started.
 */
struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started);
/* The view of a new child of parent's thread; shared: in the same memory (CLONE_VM, vfork). */
struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared);
/* The thread has called execve: its memory is new, and its id is tid now. */
void mmap_cache_exec(struct mm_task *t, pid_t tid);
/* Frees the view. NULL is fine. */
void mmap_cache_release(struct mm_task *t);

/*
 * t enters a syscall that may change mappings, and leaves it (failed: with an error). args are the
 * arguments that enum mm_change lists, for old mmap(2) those in its block; NULL: they are unknown.
 */
void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * A walk of t's stack begins. Mappings that it finds stay valid until the next walk of any
 * thread. If a thread that is not traced may share the memory, each walk asks for each mapping
 * once more.
 */
void mmap_cache_walk(struct mm_task *t);
/* The walk ended: the view is valid now. */
void mmap_cache_walked(struct mm_task *t);
/*
 * The executable mapping at addr, or NULL. Borrowed until the next walk; mapping_get() keeps it
 * longer.
 */
struct mapping *mmap_cache_find(struct mm_task *t, uint64_t addr);
/*
 * All executable mappings, between mmap_cache_walk() and mmap_cache_walked(). As long as nothing
 * changes it is the same table, with the same id; 0: it is for this time only. The caller puts it.
 */
struct map_table *mmap_cache_all(struct mm_task *t);
/*
 * The id of t's table if all of its mappings are valid during this walk. Returns 0 if they may not
 * be, because a change is in flight or a thread that is not traced may make one. A table never
 * changes, so results can be cached by its id.
 */
uint64_t mmap_cache_settled(const struct mm_task *t);
/* The stamp of the address space that t runs in. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

#endif
