/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of live threads: tells the map cache what becomes of their address spaces, and gives the
 * unwinder what it needs of a stop. What it keeps for a thread is in tcb->mm and tcb->stack_depth.
 */
#ifndef TRACER_SESSION_STACKS_H
#define TRACER_SESSION_STACKS_H

#include "mmap_cache.h"
#include "unwind.h"

struct procfs;
struct tcb;

struct stacks;
/* follow: every thread that may share a tracee's memory is traced (-f). */
struct stacks *stacks_create(const struct unwind_config *config, const struct procfs *procfs,
			     bool follow);
/* All threads must have been forgotten. With config's debug it prints counters. */
void stacks_destroy(struct stacks *s);
/* Names what was captured; borrowed. */
struct unwinder *stacks_unwinder(const struct stacks *s);

/* A thread is seen for the first time, and nothing is known of whom it shares memory with. */
void stacks_attach(struct stacks *s, struct tcb *tcb);
/* It is parent's child, in the same memory (shared: CLONE_VM, vfork) or a copy. */
void stacks_fork(struct stacks *s, struct tcb *parent, struct tcb *child, bool shared);
void stacks_exec(struct stacks *s, struct tcb *tcb);
void stacks_forget(struct stacks *s, struct tcb *tcb);

/* At the entry and the exit of a call that may change mappings; args as its row has them. */
void stacks_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void stacks_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args);
/*
 * From an engine that follows mappings by itself: what is known of length bytes from addr on is
 * not true any more.
 */
void stacks_mapping(struct tcb *tcb, uint64_t addr, uint64_t length);

/* The stack of a stopped thread; the caller's, never NULL. */
struct stack *stacks_capture(struct stacks *s, struct tcb *tcb);
/*
 * The same at a syscall's entry or exit, where tcb->regs are those of this stop: cheaper.
 * started: an execve succeeded, so that the pc is where the program begins, not behind a call.
 */
struct stack *stacks_capture_syscall(struct stacks *s, struct tcb *tcb, bool started);

#endif
