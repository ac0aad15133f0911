/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is in a set of tracees, for tracee*.c alone: the tcbs, by tid and in line. */
#ifndef TRACER_TRACEE_SET_H
#define TRACER_TRACEE_SET_H

#include <sys/wait.h>

#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_near.h"
#include "capture/ptrace/tracee_spin.h"
#include "capture/ptrace/tracee_way.h"

#ifndef __WALL
#define __WALL 0x40000000
#endif

/* Wait statuses of our own making; no stop looks like them. */
#define STATUS_VANISHED		   0xffff
#define STATUS_STOPPED(sig, event) ((event) << 16 | (sig) << 8 | 0x7f)
#define STATUS_EVENT(status)	   ((unsigned)(status) >> 16)

struct tracees {
	struct tracees_config config;
	long options;
	struct tcb **hash;
	size_t hash_mask, count;
	struct tcb *newest, *oldest;
	struct tcb *queue_first, *queue_last;
	struct tcb *dead;  /* to be freed, by hash_next */
	unsigned orphans;  /* threads whose parent's fork event is awaited */
	struct tcb *dying; /* went on from its exit event last, or NULL */
	pid_t entered;	   /* went on into a syscall last, or 0 */
	/* CLOCK_MONOTONIC: until then running tracees are waited for to be detached; 0: none was.
	 */
	struct timespec let_go_by;
	struct spin spin;
	struct ways ways;
	struct near near;
	bool filtered;	  /* the command runs with a seccomp filter of ours */
	bool parent_gone; /* something ended that orphans may be waiting for */
};

void tracees_table_init(struct tracees *set);
void tracees_table_deinit(struct tracees *set);

struct tcb *tcb_create(struct tracees *set, pid_t tid, unsigned flags);
/*
 * Takes a tcb out of the set. It stays readable, its all_next included, until
 * tracees_free_dead().
 */
void tcb_remove(struct tracees *set, struct tcb *tcb);
void tracees_free_dead(struct tracees *set);
/* From now on it is found by tid. */
void tcb_rekey(struct tcb *tcb, pid_t tid);

/* The line of tcbs with a stop to be told; a tcb is in it once. */
void tracees_queue(struct tracees *set, struct tcb *tcb);
void tracees_unqueue(struct tracees *set, struct tcb *tcb);

/*
 * The registers of the syscall that a stop interrupted, into tcb->regs, whose
 * arch is known; false: it was not in one. tracee_regs.c
 */
bool tracee_regs_of_interrupted(struct tcb *tcb);
/* Whether the syscall in tcb->regs is one that ends its thread. */
bool tracee_regs_of_exit(const struct tcb *tcb);

#endif
