/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of live threads. Connects the session with the map cache and the unwinder. The map cache
 * must be notified of all changes to address spaces. The unwinder captures stacks. The state of a
 * thread is in tcb->mm.
 */
#ifndef TRACER_SESSION_STACKS_H
#define TRACER_SESSION_STACKS_H

#include "mmap_cache.h"
#include "unwind.h"

struct file_source;
struct map_source;
struct map_table;
struct tcb;

struct stacks;
/*
 * Creates the state that is needed to capture and name stacks. `follow` must be true if every
 * thread that may share a tracee's memory is traced (-f). maps and files are borrowed from the
 * engine. maps is NULL if the engine reads a trace in which all stacks are recorded as frames.
 * Never returns NULL.
 */
struct stacks *stacks_create(const struct unwind_config *config, struct map_source *maps,
			     struct file_source *files, bool follow);
/*
 * Frees s, which may be NULL. Prints counters if `debug` is set in the configuration.
 * stacks_forget() must have been called for all threads.
 */
void stacks_destroy(struct stacks *s);
/* Returns the unwinder that names captured stacks. s owns the unwinder. */
struct unwinder *stacks_unwinder(const struct stacks *s);

/*
 * Sets tcb->mm, the cache of the thread's mappings. Must be called when the thread has been
 * attached. At this time, it is not known which threads share the thread's memory.
 */
void stacks_attach(struct stacks *s, struct tcb *tcb);
/*
 * Lets `child` share or copy the known mappings of its parent. Must be called when the thread
 * `parent` has created the thread `child`. `shared` must be true if both use the same memory
 * (CLONE_VM, vfork).
 */
void stacks_fork(struct stacks *s, struct tcb *parent, struct tcb *child, bool shared);
/*
 * Forgets the mappings of the old program. Must be called after a successful execve of the thread.
 */
void stacks_exec(struct stacks *s, struct tcb *tcb);
/* Must be called when the thread has ended or was detached. Frees the data about the thread. */
void stacks_forget(struct stacks *s, struct tcb *tcb);

/*
 * Apply the effect of a syscall to the known mappings. Must be called when a syscall that may
 * change mappings is entered or returns. `args` points to raw_args in the call's struct
 * syscall_event.
 */
void stacks_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void stacks_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args);
/*
 * Forgets the known mappings of `length` bytes at addr. Must be called when the engine reports that
 * these bytes were mapped or unmapped.
 */
void stacks_mapping(struct tcb *tcb, uint64_t addr, uint64_t length);

/*
 * Returns all executable mappings of a stopped thread. The caller releases them with
 * map_table_put().
 */
struct map_table *stacks_maps(struct stacks *s, struct tcb *tcb);
/*
 * Captures the stack of a stopped thread. Never returns NULL. The caller releases the result with
 * stack_release().
 */
struct stack *stacks_capture(struct stacks *s, struct tcb *tcb);
/*
 * Like stacks_capture(), but cheaper. May be called only at the entry or exit of a syscall with
 * valid tcb->regs. `started` must be true if the thread has just made a successful execve, so that
 * its pc is at the first instruction of the new program.
 */
struct stack *stacks_capture_syscall(struct stacks *s, struct tcb *tcb, bool started);

#endif
