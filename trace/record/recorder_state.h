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

/* The state of a thread. */
struct recorded_thread {
	struct recorded_memory memory;
	bool gone; /* must be freed once its last stop has been written */
	/* the call as decoded by the recorder; NULL before the first call */
	struct syscall_event *call;
	struct stop_state state; /* the thread's last stop as it was written */
	uint64_t part;		 /* number of the last part that lists the thread, plus one */
	pid_t tid;		 /* id that the thread had in that part */
	uint64_t bottom;	 /* end (highest address) of its stack; 0 if unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file;  /* NULL if config->last is set */
	struct tape *tape;	  /* used instead of file if config->last is set, otherwise NULL */
	struct block_header meta; /* header and body of the META block */
	struct strbuf meta_body;
	size_t calls; /* number of calls in the current block */
	unsigned group;
	struct decode_config decode;
	bool tampers;
	struct recorded_facts facts;
	struct recorded_reads reads;
	struct strbuf answers; /* FACT records for this stop */
	struct strbuf body;    /* body of the current block */
	/* Header of the current block. Its times are valid if the block contains a stop. */
	struct block_header h;
	bool begun; /* the block contains a stop */
	/*
	 * CLOCK_MONOTONIC when the first stop of the block was recorded, in ns. It differs from the
	 * time of that stop if the engine reports stops late.
	 */
	uint64_t begun_at;
	uint64_t flushed; /* value of `sequence` when recorder_flush() last checked the block's
			     age */
	pid_t thread;	  /* thread of the last record in the block; 0 if there is none */
	uint64_t block;	  /* number of the block; marks state that is valid only in this block */
	uint64_t sequence, lost;
	struct recorder_totals totals;
	uint64_t since_state;		 /* number of bytes in block bodies since the last STATE
					    block */
	struct part_book parts;		 /* which threads have stops in each part */
	uint64_t mono;			 /* time of the stop, in ns */
	struct recorded_thread *stopped; /* the stopped thread between recorder_stop() and
					    recorder_done(), otherwise NULL */
	struct stack_book stacks;
	struct raw_book raw;
	struct strbuf stack; /* records of this stop's stack */
	struct plans *plans; /* read plans */
	struct row_finder *finder;
	uint8_t *rows; /* per-syscall modes of `decode`, all DECODE_FULL */
};

/* -- functions in recorder_look.c -- */

/* Returns the data about a thread, which is created at first use. */
struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb);
/*
 * Makes syscall.c decode into ev, which is the recorder's call, instead of the session's. Returns
 * the previous call.
 */
struct syscall_event *recorder_swap(struct tcb *tcb, struct syscall_event *ev);
/* Requests everything that decoding might need at this stop. */
void recorder_look(struct recorder *r, const struct stop *stop);
/*
 * Do the same for the entry and the exit of a call. `over` means that the call's end will not be
 * observed.
 */
void recorder_look_at_enter(struct recorder *r, struct recorded_thread *t, struct tcb *tcb);
void recorder_look_at_exit(struct recorder *r, struct recorded_thread *t, struct tcb *tcb,
			   bool over);
/* Invalidates facts that a call may have changed. */
void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev);
/*
 * Records the end of a thread's stack: the stack pointer after execve, or the end of the stack that
 * clone gives to a new thread. Walks need no memory beyond it.
 */
void recorder_note_bottom(struct recorder *r, const struct stop *stop);

#endif
