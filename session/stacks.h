/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of live threads. Connects the session with the map cache, which must be notified of all
 * changes to address spaces, and with the unwinder, which captures stacks. The state of a thread is
 * in tcb->mm.
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
 * `follow` means that every thread that may share a tracee's memory is traced (-f). maps and files
 * are borrowed from the engine. Never returns NULL.
 */
struct stacks *stacks_create(const struct unwind_config *config, struct map_source *maps,
			     struct file_source *files, bool follow);
/*
 * Frees s, which may be NULL. Prints counters if `debug` is set in the configuration. All threads
 * must have been forgotten.
 */
void stacks_destroy(struct stacks *s);
/* Returns the unwinder that names captured stacks. It is owned by s. */
struct unwinder *stacks_unwinder(const struct stacks *s);

/* Must be called when a thread is attached. It is not yet known which threads share its memory. */
void stacks_attach(struct stacks *s, struct tcb *tcb);
/*
 * Must be called when the thread `parent` has created the thread `child`. `shared` means that both
 * use the same memory (CLONE_VM, vfork).
 */
void stacks_fork(struct stacks *s, struct tcb *parent, struct tcb *child, bool shared);
/* Must be called after the thread's successful execve. */
void stacks_exec(struct stacks *s, struct tcb *tcb);
/* Must be called when the thread has ended or is detached. Frees the data about it. */
void stacks_forget(struct stacks *s, struct tcb *tcb);

/*
 * Must be called when a syscall that may change mappings is entered or returns. args points to
 * raw_args in the call's struct syscall_event.
 */
void stacks_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void stacks_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args);
/*
 * Must be called when an engine that tracks mappings itself reports that `length` bytes at addr
 * were mapped or unmapped.
 */
void stacks_mapping(struct tcb *tcb, uint64_t addr, uint64_t length);

/*
 * Returns all executable mappings of a stopped thread. The caller releases them with
 * map_table_put().
 */
struct map_table *stacks_maps(struct stacks *s, struct tcb *tcb);
/*
 * Captures the stack of a stopped thread. Never returns NULL. The caller releases it with
 * stack_release().
 */
struct stack *stacks_capture(struct stacks *s, struct tcb *tcb);
/*
 * Works like stacks_capture(), but is cheaper. Only for the entry or exit of a syscall with valid
 * tcb->regs. `started` means that an execve succeeded, so the pc is the first instruction of a
 * program.
 */
struct stack *stacks_capture_syscall(struct stacks *s, struct tcb *tcb, bool started);

#endif
