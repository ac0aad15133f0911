/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of live threads. This connects the session with the map cache, which has to know about
 * changes of address spaces, and with the unwinder, which captures the stack of a stop. Data of a
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
 * follow: every thread that may share a tracee's memory is traced (-f). maps and files are
 * borrowed from the engine. Never NULL.
 */
struct stacks *stacks_create(const struct unwind_config *config, struct map_source *maps,
			     struct file_source *files, bool follow);
/*
 * Frees s; with debug in its configuration it prints counters. All threads must have been
 * forgotten. NULL is fine.
 */
void stacks_destroy(struct stacks *s);
/* The unwinder that names captured stacks, owned by s. */
struct unwinder *stacks_unwinder(const struct stacks *s);

/* A thread is traced from now on, and it is unknown with whom it shares memory. */
void stacks_attach(struct stacks *s, struct tcb *tcb);
/* parent's thread has made child's; shared: in the same memory (CLONE_VM, vfork). */
void stacks_fork(struct stacks *s, struct tcb *parent, struct tcb *child, bool shared);
/* The thread has called execve. */
void stacks_exec(struct stacks *s, struct tcb *tcb);
/* The thread ended or is detached: frees what is kept for it. */
void stacks_forget(struct stacks *s, struct tcb *tcb);

/* A syscall that may change mappings is entered or returns; args are those of its row. */
void stacks_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args);
void stacks_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args);
/*
 * An engine that follows mappings by itself reported that the length bytes from addr on were mapped
 * anew or unmapped.
 */
void stacks_mapping(struct tcb *tcb, uint64_t addr, uint64_t length);

/* All that a stopped thread can execute. The caller calls map_table_put(). */
struct map_table *stacks_maps(struct stacks *s, struct tcb *tcb);
/* Captures the stack of a stopped thread. Never NULL; the caller calls stack_release(). */
struct stack *stacks_capture(struct stacks *s, struct tcb *tcb);
/*
 * As stacks_capture(), but cheaper, for the entry or exit of a syscall, where tcb->regs belong to
 * this stop. started: an execve succeeded, so the pc is the first instruction of a program.
 */
struct stack *stacks_capture_syscall(struct stacks *s, struct tcb *tcb, bool started);

#endif
