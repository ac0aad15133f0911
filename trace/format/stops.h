/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes stops as records (records.h). A record contains only the differences from the thread's
 * previous stop in the block. The writer and the reader both keep the state of the previous stop.
 */
#ifndef TRACER_TRACE_FORMAT_STOPS_H
#define TRACER_TRACE_FORMAT_STOPS_H

#include "capture/capture.h"
#include "trace/format/coding.h"
#include "trace/format/records.h"
#include "util/strbuf.h"

/*
 * A thread's last stop in a block. `block` is the index of that block, plus 1. The state is valid
 * only within that block.
 */
struct stop_state {
	uint64_t block;
	uint32_t audit;
	uint64_t args[SYSCALL_ARGS_MAX];
	uint64_t ip, sp, cpu; /* `cpu` is the CPU time in microseconds */
};

/* Returns true if stops of this kind are recorded in traces. */
bool stop_is_recorded(enum stop_kind kind);

/*
 * Appends the record of a stop. `ns` is the time in nanoseconds since the previous stop in the
 * block. `block` is the index of the block. `state` is NULL if the stop does not belong to a
 * thread.
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
	struct stop stop; /* the stop; its tcb, child and times are not set */
	uint64_t ns;
	bool has_cpu;
	struct syscall_regs regs;  /* the thread's registers at the stop */
	unsigned flags;		   /* for STOP_NEW: bits of enum tcb_flag */
	pid_t tgid;		   /* for STOP_NEW: the id of the thread's process */
	bool followed;		   /* for STOP_FORK: true if the child is traced */
	uint64_t heir_ip, heir_sp; /* for STOP_VANISHED: pc and stack pointer of the thread that
				      took over the id */
	char cause[128];	   /* for STOP_LOST: the reason for the loss */
	/* for STOP_REQUEST_*: the request, whose sqe points to `entry` */
	struct capture_request request;
	uint8_t entry[TRACE_SQE_SIZE];
};

/*
 * Parses the record of a stop. `in` is positioned at the record's content. `regs` contains the
 * thread's last known registers. `state` is NULL if the thread is unknown. Returns false if the
 * record is invalid.
 */
bool stop_take(struct cursor *in, enum record_type type, const struct syscall_regs *regs,
	       struct stop_state *state, uint64_t block, struct stop_record *s);

/* The content of a BEGIN record. */
struct begin_record {
	pid_t tid, tgid;
	unsigned flags; /* bits of enum tcb_flag */
};
bool begin_take(struct cursor *in, struct begin_record *b);

/* The content of an IS record. */
struct is_record {
	struct begin_record begin;
	struct syscall_regs regs;
	uint64_t cpu; /* CPU time in microseconds */
};
bool is_take(struct cursor *in, struct is_record *r);

#endif
