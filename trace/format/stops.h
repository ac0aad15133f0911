/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stops as records (records.h): what was written is what comes back. Both sides keep, for each
 * thread, what its last stop in this block was like, as a record has only what differs from that.
 */
#ifndef TRACER_TRACE_FORMAT_STOPS_H
#define TRACER_TRACE_FORMAT_STOPS_H

#include "capture/capture.h"
#include "trace/format/coding.h"
#include "trace/format/records.h"
#include "util/strbuf.h"

/* A thread's last stop in a block; of another block than the one with that number, it is void. */
struct stop_state {
	uint64_t block;
	uint32_t audit;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp, cpu; /* cpu in microseconds */
};

/* Whether stops of that kind are in traces. */
bool stop_is_recorded(enum stop_kind kind);

/*
 * Appends the record of a stop, which was ns nanoseconds after the stop before in its block, of
 * number block, which counts from 0. state is NULL for a stop of no thread.
 */
void stop_put(struct strbuf *out, const struct stop *stop, struct stop_state *state, uint64_t block,
	      uint64_t ns);
void stop_put_thread(struct strbuf *out, pid_t tid);
void stop_put_begin(struct strbuf *out, const struct tcb *tcb);
void stop_put_is(struct strbuf *out, const struct tcb *tcb);
void stop_put_started(struct strbuf *out);
void stop_put_forget(struct strbuf *out);
void stop_put_ended(struct strbuf *out, uint64_t ns);

/* What a record of a stop says. */
struct stop_record {
	struct stop stop; /* without tcb, child and times */
	uint64_t ns;
	bool has_cpu;
	struct syscall_regs regs;  /* as the stop leaves those of the thread */
	unsigned flags;		   /* STOP_NEW: enum tcb_flag */
	pid_t tgid;		   /* STOP_NEW */
	bool followed;		   /* STOP_FORK: the child is traced */
	uint64_t heir_ip, heir_sp; /* STOP_VANISHED: of the thread that took its place */
	char cause[128];	   /* STOP_LOST */
};

/*
 * Takes a record of a stop apart, of which in is the rest behind its type and length. regs are
 * those of the thread so far; state is NULL if the thread is not known. Returns false if the record
 * cannot be right.
 */
bool stop_take(struct cursor *in, enum record_type type, const struct syscall_regs *regs,
	       struct stop_state *state, uint64_t block, struct stop_record *s);

/* What RECORD_BEGIN says. */
struct begin_record {
	pid_t tid, tgid;
	unsigned flags; /* enum tcb_flag */
};
bool begin_take(struct cursor *in, struct begin_record *b);

/* What RECORD_IS says. */
struct is_record {
	struct begin_record begin;
	struct syscall_regs regs;
	uint64_t cpu; /* in microseconds */
};
bool is_take(struct cursor *in, struct is_record *r);

#endif
