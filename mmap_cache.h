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
#include "util/vec.h"

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
 * All executable mappings. As long as nothing changes it is the same table, with the same id. If
 * the id is 0, the table is true for this moment only. The caller puts it by map_table_put().
 */
struct map_table *mmap_cache_all(struct mm_task *t);
/* The stamp of the address space that t runs in. */
uint64_t mmap_cache_stamp(const struct mm_task *t);

/*
 * A view is what one walk of a stack sees of an address space. It holds references to all mappings
 * that it has returned, so a mapping stays valid until map_view_end(), even if a later look-up
 * finds that the mapping has grown and replaces it in the table. mapping_get() keeps a mapping for
 * longer. The members are for mmap_cache.c only.
 */
struct map_view {
	struct mm_task *task;
	uint64_t id;		    /* number of this view, never 0 */
	struct map_table *table;    /* that of the address space when the view began */
	VEC(struct mapping *) held; /* those returned that are not in table */
};

/*
 * Begins a view of t's mappings; t must exist until map_view_end(). If a thread that is not traced
 * may share the memory, each view asks for each mapping once more.
 */
void map_view_begin(struct map_view *v, struct mm_task *t);
/* Ends the view. Its mappings are no longer valid. */
void map_view_end(struct map_view *v);
/* The executable mapping at addr, borrowed from the view, or NULL. */
struct mapping *map_view_find(struct map_view *v, uint64_t addr);
/*
 * The id of the table that has answered all look-ups of this view so far. Returns 0 if there is no
 * such table, or if its mappings may change during the walk: a change is in flight, or a thread
 * that is not traced may make one. A table never changes, so results can be cached by its id, and
 * the mappings of that table are valid until map_view_end().
 */
uint64_t map_view_settled(const struct map_view *v);

#endif
