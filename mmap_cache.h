/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Caches the executable mappings of address spaces.
 *
 * A struct address_space corresponds to an mm of the kernel. All threads (and vfork children) that
 * use the mm share it. Each thread has a struct mm_task, which refers to its address space.
 * mmap_cache_generation counts the mapping changes of all tracees. When an address space changes,
 * the new count becomes the stamp of the address space. As long as the stamp stays the same, no
 * change of the executable mappings is known.
 *
 * The table of an address space contains only the executable mappings that stack walks have used.
 * They come from a source (stack/files/map_source.h), either one by one or as a complete list. A
 * change drops the mappings in its range from the table. The mappings are queried again when a walk
 * needs them.
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
 * The ways in which a syscall can change mappings. The syscall's row names one of them
 * (linux/syscall_desc.h). The comments list the relevant arguments.
 */
enum mm_change {
	MM_NONE,
	MM_MMAP,     /* addr, length, prot, flags; relevant with PROT_EXEC, or if MAP_FIXED replaces
			code */
	MM_MUNMAP,   /* addr, length */
	MM_MPROTECT, /* addr, length, prot */
	MM_MREMAP,   /* old address, old length, new length, flags, new address */
	MM_REMAP_PAGES, /* addr, size */
	MM_SHMAT, /* shmid, addr, flags; relevant with SHM_EXEC, or if SHM_REMAP replaces code */
	MM_SHMDT, /* addr */
	MM_ARCH_PRCTL, /* operation; relevant only if it is ARCH_MAP_VDSO_* */
	MM_BRK,	 /* none; relevant only with READ_IMPLIES_EXEC, which makes the heap executable */
	MM_CLONE /* flags; unless -f is given, an untraced task may share the mm afterwards */
};

struct mmap_cache_config {
	bool follow;   /* true if every task that may share a tracee's memory is traced (-f) */
	bool debug;    /* print each cache event to stderr */
	bool no_query; /* for tests: query the source only for complete lists, never for single
			  mappings */
};

/* Creates a cache. Borrows source, which must outlive the cache. Never returns NULL. */
struct mmap_cache *mmap_cache_create(const struct mmap_cache_config *config,
				     struct map_source *source);
/* Frees the cache. All tasks must have been released before. c may be NULL. */
void mmap_cache_destroy(struct mmap_cache *c);

struct mmap_cache_counters {
	uint64_t queries;    /* queries for single mappings */
	uint64_t reads;	     /* queries for complete lists of mappings */
	uint64_t increments; /* increments of mmap_cache_generation */
	uint64_t dropped;    /* mappings dropped from tables */
	/* cached mappings that turned out to have been changed by an untraced task */
	uint64_t stale;
};
/* Returns the counters of the cache. They are owned by c. */
const struct mmap_cache_counters *mmap_cache_counters(const struct mmap_cache *c);
/* Returns the total number of mapping changes of all tracees so far. */
uint64_t mmap_cache_generation(const struct mmap_cache *c);

/*
 * The functions below create and free the struct mm_task of a thread. The caller owns it until
 * mmap_cache_release(). Ids are those in tracer's pid namespace.
 */

/*
 * Creates the mm_task of a thread whose parent is unknown. Never returns NULL. Asks the source
 * whether another process shares the thread's memory. started is true if the thread is the command
 * that tracer started.
 */
struct mm_task *mmap_cache_attach(struct mmap_cache *c, pid_t tid, pid_t tgid, bool started);
/*
 * Creates the mm_task of a new thread or process whose parent is the thread of `parent`. Never
 * returns NULL. shared is true if the child shares the parent's memory (CLONE_VM, vfork).
 */
struct mm_task *mmap_cache_fork(struct mm_task *parent, pid_t tid, pid_t tgid, bool shared);
/*
 * Must be called after execve, which gives the thread a new address space. tid is the thread's new
 * id.
 */
void mmap_cache_exec(struct mm_task *t, pid_t tid);
/* Frees t, which may be NULL. */
void mmap_cache_release(struct mm_task *t);

/*
 * These functions must be called when the thread of t enters and leaves a syscall that may change
 * mappings. `failed` is true if the call returned an error. `args` contains the arguments listed in
 * enum mm_change (for old mmap(2), the arguments in memory), or is NULL if the arguments are
 * unknown.
 */
void mmap_cache_enter(struct mm_task *t, enum mm_change change, const uint64_t *args);
void mmap_cache_exit(struct mm_task *t, enum mm_change change, const uint64_t *args, int64_t ret,
		     bool failed);

/*
 * Returns a table of all executable mappings. While nothing changes, each call returns the same
 * table, whose id is not 0, unless an untraced task may change mappings. Such a task may also
 * change the mappings of the table. A table with the id 0 may be out of date as soon as a tracee
 * runs. The caller releases the table with map_table_put().
 */
struct map_table *mmap_cache_all(struct mm_task *t);
/* Returns the current stamp of t's address space. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

/*
 * The part of an address space that one stack walk uses. The view holds a reference to each mapping
 * that it has returned. Each of these mappings therefore stays valid until map_view_end(), even if
 * the table gets a new mapping in its place because the mapping has grown. To keep a mapping
 * longer, use mapping_get(). The members are for mmap_cache.c only.
 */
struct map_view {
	struct mm_task *task;
	uint64_t id;		    /* id of this view, never 0 */
	struct map_table *table;    /* the address space's table when the view was created */
	VEC(struct mapping *) held; /* returned mappings that `table` does not contain */
};

/*
 * Begins a view of t's mappings. t must exist until map_view_end(). If an untraced thread may share
 * the memory, the view queries each mapping again before it returns the mapping for the first time.
 */
void map_view_begin(struct map_view *v, struct mm_task *t);
/* Ends the view. The mappings that it returned are no longer valid. */
void map_view_end(struct map_view *v);
/* Returns the executable mapping at addr, borrowed from the view, or NULL. */
struct mapping *map_view_find(struct map_view *v, uint64_t addr);
/*
 * Returns true if the address space may have mappings that map_view_find() does not find, because
 * the source has lost information about them.
 */
bool map_view_incomplete(const struct map_view *v);
/*
 * If all look-ups of this view have used the same table, returns the table's id, otherwise 0. Also
 * returns 0 if a change is in progress, or if an untraced thread may change mappings. A table is
 * immutable, so results that depend on it can be cached under its id. The mappings of the table are
 * valid until map_view_end().
 */
uint64_t map_view_settled(const struct map_view *v);

#endif
