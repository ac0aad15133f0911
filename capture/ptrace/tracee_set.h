/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is in a set of tracees, for tracee*.c alone: the threads, by tid and in line. */
#ifndef TRACER_TRACEE_SET_H
#define TRACER_TRACEE_SET_H

#include <sys/wait.h>

#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_near.h"
#include "capture/ptrace/tracee_spin.h"
#include "capture/ptrace/tracee_thread.h"
#include "capture/ptrace/tracee_way.h"

#ifndef __WALL
#define __WALL 0x40000000
#endif

/* Wait statuses of our own making; no stop looks like them. */
#define STATUS_VANISHED		   0xffff
#define STATUS_STOPPED(sig, event) ((event) << 16 | (sig) << 8 | 0x7f)
#define STATUS_EVENT(status)	   ((unsigned)(status) >> 16)

struct tracees {
	struct capture capture; /* first: what other layers know of it */
	struct capture_config config;
	long options;
	struct tracee **hash;
	size_t hash_mask, count;
	struct tracee *newest, *oldest;
	struct tracee *queue_first, *queue_last;
	struct tracee *dead;  /* to be freed, by hash_next */
	unsigned orphans;     /* threads whose parent's fork event is awaited */
	struct tracee *dying; /* went on from its exit event last, or NULL */
	pid_t entered;	      /* went on into a syscall last, or 0 */
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

struct tracee *tracee_create(struct tracees *set, pid_t tid, unsigned flags);
/* The thread tid, or NULL. */
struct tracee *tracees_find(const struct tracees *set, pid_t tid);
/*
 * Takes a thread out of the set. It stays readable, its all_next included, until
 * tracees_free_dead().
 */
void tracee_remove(struct tracees *set, struct tracee *t);
void tracees_free_dead(struct tracees *set);
/* From now on it is found by tid. */
void tracee_rekey(struct tracee *t, pid_t tid);

/* The line of threads with a stop to be told; a thread is in it once. */
void tracees_queue(struct tracees *set, struct tracee *t);
void tracees_unqueue(struct tracees *set, struct tracee *t);

/*
 * The registers of the syscall that a stop interrupted, into tcb->regs, whose
 * arch is known; false: it was not in one. tracee_regs.c
 */
bool tracee_regs_of_interrupted(struct tcb *tcb);
/* Whether the syscall in tcb->regs is one that ends its thread. */
bool tracee_regs_of_exit(const struct tcb *tcb);

/* What struct capture_ops has by these names; see capture/capture.h. */
struct tcb *tracees_start(struct capture *c, const char *path, char *const argv[],
			  char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
int tracees_attach(struct capture *c, pid_t pid, unsigned *attached);
size_t tracees_count(const struct capture *c);
struct tcb *tracees_find_tcb(const struct capture *c, pid_t tid);
struct tcb *tracees_next(const struct capture *c, const struct tcb *prev, enum capture_order order);
pid_t tracee_tgid(const struct tcb *tcb);
int tracee_get_regs(const struct tcb *tcb, struct arch_regs *regs);
int tracee_set_nr(struct tcb *tcb, uint64_t nr);
int tracee_set_ret(struct tcb *tcb, int64_t ret);
int tracee_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value);

#endif
