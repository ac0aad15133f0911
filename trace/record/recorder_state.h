/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a recorder, private to recorder*.c. */
#ifndef TRACER_TRACE_RECORD_RECORDER_STATE_H
#define TRACER_TRACE_RECORD_RECORDER_STATE_H

#include "capture/capture.h"
#include "trace/format/parts.h"
#include "trace/record/recorded_facts.h"
#include "trace/record/recorded_memory.h"
#include "trace/record/recorder_raw.h"
#include "trace/record/recorder_stacks.h"
#include "trace/record/recorder_totals.h"
#include "trace/format/stops.h"
#include "trace/record/trace_file.h"
#include "decode/core/config.h"

/* The state of a thread in a recorder. */
struct recorded_thread {
	struct recorded_memory memory;
	/* true if the thread has ended; this struct is then freed after its last stop is written */
	bool gone;
	/* the current or last call as decoded by the recorder; NULL before the first call */
	struct syscall_event *call;
	struct stop_state state; /* the thread's last stop as it was written */
	uint64_t part;	 /* number of the last part of the trace that lists the thread, plus 1 */
	pid_t tid;	 /* the thread's id in that part of the trace */
	uint64_t bottom; /* end (highest address) of the thread's stack; 0 if unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file;  /* NULL if config->last is set, because `tape` is used instead */
	struct tape *tape;	  /* NULL if config->last is not set */
	struct block_header meta; /* header of the META block; meta_body is its body */
	struct strbuf meta_body;
	size_t calls; /* number of calls in the current block */
	unsigned group;
	struct decode_config decode;
	bool tampers, follows; /* as in struct recorder_config */
	struct recorded_facts facts;
	struct recorded_reads reads;
	struct strbuf answers; /* FACT, FORGET and TAMPERED records for the current stop */
	struct strbuf body;    /* body of the current block */
	/* The header of the current block. `first` and `last` are valid if `begun` is true. */
	struct block_header h;
	bool begun; /* true if block_begin() has begun the block */
	/*
	 * The CLOCK_MONOTONIC time at which the block is due. The engine may report stops late, so
	 * this depends on when the block was begun, not on the time of its first stop.
	 */
	struct timespec due;
	/*
	 * value of `sequence` when recorder_flush() last checked whether the block must be closed
	 */
	uint64_t flushed;
	pid_t thread;	/* thread of the last record in the block; 0 if there is none */
	uint64_t block; /* number of the block; marks state that is valid only in this block */
	uint64_t sequence, lost;
	struct recorder_totals totals;
	uint64_t since_state;		 /* number of bytes in block bodies since the last STATE
					    block */
	struct part_list parts;		 /* the threads that have stops in each part */
	uint64_t mono;			 /* time of the current stop, in nanoseconds */
	struct recorded_thread *stopped; /* the stopped thread between recorder_stop() and
					    recorder_done(), otherwise NULL */
	struct stack_index stacks;
	struct raw_writer raw;
	struct strbuf stack; /* records of the current stop's stack */
	struct plans *plans; /* read plans */
	struct row_finder *finder;
	uint8_t *rows; /* decoding modes for `decode`: DECODE_FULL for each syscall */
};

/* -- functions in recorder_collect.c -- */

/*
 * Returns the recorder's data about a thread. Creates the data if this is the first call for the
 * thread.
 */
struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb);
/* Requests all data that decoding may need at this stop. */
void recorder_collect(struct recorder *r, const struct stop *stop);
/*
 * Request the data that decoding may need at the entry and at the exit of a call. Set `over` if the
 * call ends without a known result, because its thread has ended or because the result was lost.
 */
void recorder_collect_enter(struct recorder *r, struct recorded_thread *t, const struct tcb *tcb);
void recorder_collect_exit(struct recorder *r, struct recorded_thread *t, const struct tcb *tcb,
			   bool over);
/* Invalidates the recorded facts that the call `ev` may have changed. */
void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev);
/*
 * Stores the end of a thread's stack in struct recorded_thread. This is the stack pointer after
 * execve, or the end of the stack that clone specifies for a new thread. If clone specifies none,
 * it is the end of the parent's stack. Walks do not need memory above this address.
 */
void recorder_note_bottom(struct recorder *r, const struct stop *stop);

#endif
