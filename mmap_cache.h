/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Caches the executable mappings of address spaces.
 *
 * There is one struct address_space for each mm of the kernel, shared by all threads (and vfork
 * children) that use it. Each thread has a struct mm_task, its view. mmap_cache_generation counts
 * the mapping changes of all tracees. A change stamps its address space with that count. A view is
 * valid while its stamp is equal to that of its address space.
 *
 * The table of an address space contains only the executable mappings that walks have used. They
 * are queried from a source (stack/files/map_source.h), one by one or as a whole list. A change
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
 * How a syscall may change mappings, as specified in its row (linux/syscall_desc.h). The comments
 * list the relevant arguments.
 */
enum mm_change {
	MM_NONE,
	MM_MMAP, /* addr, length, prot, flags; relevant with PROT_EXEC, or with MAP_FIXED over code
		  */
	MM_MUNMAP,	/* addr, length */
	MM_MPROTECT,	/* addr, length, prot */
	MM_MREMAP,	/* old address, old length, new length, flags, new address */
	MM_REMAP_PAGES, /* addr, size */
	MM_SHMAT,	/* shmid, addr, flags; relevant with SHM_EXEC */
	MM_SHMDT,	/* addr */
	MM_ARCH_PRCTL,	/* an operation that maps the vdso, at any address */
	MM_BRK,		/* never executable without READ_IMPLIES_EXEC */
	MM_CLONE	/* flags; without -f, an untraced task may share the mm afterwards */
};

struct mmap_cache_config {
	bool follow;   /* every task that may share memory is traced (-f) */
	bool debug;    /* print each cache event to stderr */
	bool no_query; /* for tests: query only whole lists, never single mappings */
};

/* Creates a cache. source is borrowed and must outlive the cache. Never NULL. */
struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source);
/* All tasks must have been released before. c may be NULL. */
void mmap_cache_destroy(struct mmap_cache *c);

struct mmap_cache_counters {
	uint64_t queries;    /* number of queries for single mappings */
	uint64_t reads;	     /* number of queries for whole lists */
	uint64_t increments; /* number of increments of mmap_cache_generation */
	uint64_t dropped;    /* number of mappings dropped from tables */
	uint64_t stale;	     /* number of cached mappings that an untraced thread had changed */
};
/* Returns the counters, owned by c. */
const struct mmap_cache_counters *mmap_cache_counters(const struct mmap_cache *c);
/* Returns the number of mapping changes of all tracees so far. */
uint64_t mmap_cache_generation(const struct mmap_cache *c);

/*
 * The functions below create and free a thread's view. The caller owns the view until
 * mmap_cache_release(). Ids are those in tracer's pid namespace.
 */

/*
 * Creates the view of a thread of which only the ids are known. Queries the source for the process
 * with which the thread shares memory. started is true if the thread is the command that tracer
 * started.
 */
struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started);
/*
 * Creates the view of a new child of parent's thread. shared is set if the child shares the
 * parent's memory (CLONE_VM, vfork).
 */
struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared);
/* Must be called after an execve, which gives the thread a new address space. tid is its new id. */
void mmap_cache_exec(struct mm_task *t, pid_t tid);
/* Frees the view. t may be NULL. */
void mmap_cache_release(struct mm_task *t);

/*
 * Must be called when t enters, and when it leaves, a syscall that may change mappings. failed is
 * set if the call returned an error. args are the arguments listed in enum mm_change, which old
 * mmap(2) passes in memory. args is NULL if they are unknown.
 */
void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * Returns all executable mappings. As long as nothing changes, the result is the same table with
 * the same id. If the id is 0, the table is valid only now. The caller releases it with
 * map_table_put().
 */
struct map_table *mmap_cache_all(struct mm_task *t);
/* Returns the stamp of t's address space. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

/*
 * The part of an address space that one stack walk uses. A view holds references to all mappings
 * that it has returned. Thus a mapping stays valid until map_view_end(), even if a later look-up
 * finds that it has grown and replaces it in the table. Use mapping_get() to keep a mapping for
 * longer. The members are for mmap_cache.c only.
 */
struct map_view {
	struct mm_task *task;
	uint64_t id;		    /* id of this view, never 0 */
	struct map_table *table;    /* the address space's table when the view was created */
	VEC(struct mapping *) held; /* returned mappings that are not in `table` */
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
 * or an untraced thread may make one. A table is immutable, so results can be cached under its id.
 * Its mappings are valid until map_view_end().
 */
uint64_t map_view_settled(const struct map_view *v);

#endif
