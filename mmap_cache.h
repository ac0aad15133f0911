/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces and their executable maps.
 *
 * There is one struct address_space for each mm of the kernel, shared by all threads (and vfork
 * children) that run in it. Each thread has a struct mm_task, its view. mmap_cache_generation
 * counts the mapping changes of all tracees. A change stamps its address space with that count. A
 * view is valid while its stamp is equal to that of its address space.
 *
 * The table of an address space contains only executable mappings that walks have asked for. They
 * come from a source of maps (stack/files/map_source.h), one by one or as a whole list. A change
 * drops the mappings in its range, which are queried again when a walk needs them.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include "defs.h"
#include "util/vec.h"

struct map_source;
struct map_table;
struct mapping;
struct mm_task;
struct mmap_cache;

/*
 * How a syscall may change mappings. The rows of syscalls state it (linux/syscall_desc.h). The
 * comments list the relevant arguments.
 */
enum mm_change {
	MM_NONE,
	MM_MMAP,   /* addr, length, prot, flags: relevant with PROT_EXEC, or MAP_FIXED over code */
	MM_MUNMAP, /* addr, length */
	MM_MPROTECT,	/* addr, length, prot */
	MM_MREMAP,	/* old, old length, new length, flags, new */
	MM_REMAP_PAGES, /* addr, size */
	MM_SHMAT,	/* shmid, addr, flags: relevant with SHM_EXEC */
	MM_SHMDT,	/* addr */
	MM_ARCH_PRCTL,	/* one of the operations that map the vdso, anywhere */
	MM_BRK,		/* never executable without READ_IMPLIES_EXEC */
	MM_CLONE	/* flags: without -f, an untraced task may share the mm from now on */
};

struct mmap_cache_config {
	bool follow;   /* every task that may share memory is traced (-f) */
	bool debug;    /* print each cache event to stderr */
	bool no_query; /* for tests: query only whole lists, never single mappings */
};

/* source is borrowed and must outlive the cache. Never NULL. */
struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source);
/* All tasks must have been released. c may be NULL. */
void mmap_cache_destroy(struct mmap_cache *c);

struct mmap_cache_counters {
	uint64_t queries;    /* queries for single mappings */
	uint64_t reads;	     /* queries for whole lists */
	uint64_t increments; /* increments of mmap_cache_generation */
	uint64_t dropped;    /* mappings dropped from tables */
	uint64_t stale;	     /* mappings that an untraced thread changed */
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
 * Creates the view of a thread of which only the ids are known. Asks the source with which process
 * the thread shares memory. started is true if the thread is the command that tracer started.
 */
struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started);
/*
 * Creates the view of a new child of parent's thread. shared is set if the child shares the
 * parent's memory (CLONE_VM, vfork).
 */
struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared);
/* Call this after an execve: the thread has a new address space, and its id is now tid. */
void mmap_cache_exec(struct mm_task *t, pid_t tid);
/* Frees the view. t may be NULL. */
void mmap_cache_release(struct mm_task *t);

/*
 * Call these when t enters a syscall that may change mappings, and when t leaves the syscall.
 * failed is set if the call returned an error. args are the arguments that enum mm_change lists;
 * for old mmap(2) they are read from its block. args is NULL if they are unknown.
 */
void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * Returns all executable mappings. While nothing changes, this is the same table with the same id.
 * If the id is 0, the table is valid only at this moment. The caller releases it with
 * map_table_put().
 */
struct map_table *mmap_cache_all(struct mm_task *t);
/* The stamp of the address space that t runs in. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

/*
 * The part of an address space that one walk of a stack uses. A view holds references to all
 * mappings that it has returned. So a mapping stays valid until map_view_end(), even if a later
 * look-up finds that the mapping has grown and replaces it in the table. mapping_get() keeps a
 * mapping for longer. The members are for mmap_cache.c only.
 */
struct map_view {
	struct mm_task *task;
	uint64_t id;		    /* number of this view, never 0 */
	struct map_table *table;    /* table of the address space when the view began */
	VEC(struct mapping *) held; /* returned mappings that are not in table */
};

/*
 * Begins a view of t's mappings. t must exist until map_view_end(). If an untraced thread may share
 * the memory, each view queries each mapping again.
 */
void map_view_begin(struct map_view *v, struct mm_task *t);
/* Ends the view. Its mappings are no longer valid. */
void map_view_end(struct map_view *v);
/* Returns the executable mapping at addr, borrowed from the view, or NULL. */
struct mapping *map_view_find(struct map_view *v, uint64_t addr);
/*
 * Returns the id of the table that has answered all look-ups of this view so far. Returns 0 if
 * there is no such table, or if its mappings may change during the walk: a change is in progress,
 * or an untraced thread may make one. A table is immutable, so results can be cached by its id, and
 * its mappings are valid until map_view_end().
 */
uint64_t map_view_settled(const struct map_view *v);

#endif
