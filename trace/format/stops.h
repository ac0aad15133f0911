/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stops as records (records.h). Writer and reader keep the last stop of each thread in the block,
 * because a record contains only differences from it.
 */
#ifndef TRACER_TRACE_FORMAT_STOPS_H
#define TRACER_TRACE_FORMAT_STOPS_H

#include "capture/capture.h"
#include "trace/format/coding.h"
#include "trace/format/records.h"
#include "util/strbuf.h"

/* A thread's last stop in a block; invalid if the number is that of another block. */
struct stop_state {
	uint64_t block;
	uint32_t audit;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp, cpu; /* cpu in microseconds */
};

/* Whether stops of that kind are recorded in traces. */
bool stop_is_recorded(enum stop_kind kind);

/*
 * Appends the record of a stop. ns is the time in nanoseconds since the previous stop in the block,
 * block its number from 0. state is NULL for a stop without a thread.
 */
void stop_put(struct strbuf *out, const struct stop *stop, struct stop_state *state, uint64_t block,
	      uint64_t ns);
void stop_put_thread(struct strbuf *out, pid_t tid);
void stop_put_begin(struct strbuf *out, const struct tcb *tcb);
void stop_put_is(struct strbuf *out, const struct tcb *tcb);
void stop_put_started(struct strbuf *out);
void stop_put_forget(struct strbuf *out);
void stop_put_ended(struct strbuf *out, uint64_t ns);

/* The content of a stop's record. */
struct stop_record {
	struct stop stop; /* without tcb, child and times */
	uint64_t ns;
	bool has_cpu;
	struct syscall_regs regs;  /* registers of the thread after the stop */
	unsigned flags;		   /* STOP_NEW: enum tcb_flag */
	pid_t tgid;		   /* STOP_NEW */
	bool followed;		   /* STOP_FORK: the child is traced */
	uint64_t heir_ip, heir_sp; /* STOP_VANISHED: registers of the thread that took its place */
	char cause[128];	   /* STOP_LOST */
};

/*
 * Parses the record of a stop; in is the rest after its type and length. regs are the thread's
 * registers so far; state is NULL if the thread is unknown. Returns false if the record is invalid.
 */
bool stop_take(struct cursor *in, enum record_type type, const struct syscall_regs *regs,
	       struct stop_state *state, uint64_t block, struct stop_record *s);

/* The content of RECORD_BEGIN. */
struct begin_record {
	pid_t tid, tgid;
	unsigned flags; /* enum tcb_flag */
};
bool begin_take(struct cursor *in, struct begin_record *b);

/* The content of RECORD_IS. */
struct is_record {
	struct begin_record begin;
	struct syscall_regs regs;
	uint64_t cpu; /* in microseconds */
};
bool is_take(struct cursor *in, struct is_record *r);

#endif
