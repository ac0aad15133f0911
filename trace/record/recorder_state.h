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
	bool gone; /* to be freed once its last stop is written */
	/* the call as decoded by the recorder; NULL before the first one */
	struct syscall_event *call;
	struct stop_state state; /* the thread's last stop as written */
	uint64_t part;		 /* number of the last part that lists the thread, plus one */
	pid_t tid;		 /* the thread's id when it was listed there */
	uint64_t bottom;	 /* high end of its stack; 0 if unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file;  /* NULL with config->last */
	struct tape *tape;	  /* used instead of file with config->last, otherwise NULL */
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
	/* Header of the current block. Its times are valid once the block has a stop. */
	struct block_header h;
	bool begun; /* the block has a stop */
	/*
	 * CLOCK_MONOTONIC when the first stop of the block was recorded, in ns. It differs from the
	 * time of that stop if the engine reports stops late.
	 */
	uint64_t begun_at;
	uint64_t flushed; /* value of sequence when recorder_flush() last checked whether the block
			     is due */
	pid_t thread;	  /* thread of the last record in the block; 0 if there is none */
	uint64_t block; /* number of the block, which marks state that is valid in one block only */
	uint64_t sequence, lost;
	struct recorder_totals totals;
	uint64_t since_state;		 /* bytes of block bodies since the last STATE block */
	struct part_book parts;		 /* threads with stops in each part */
	uint64_t mono;			 /* time of the stop, in ns */
	struct recorded_thread *stopped; /* the stopped thread, between recorder_stop() and
					    recorder_done(); otherwise NULL */
	struct stack_book stacks;
	struct raw_book raw;
	struct strbuf stack; /* records of this stop's stack */
	struct plans *plans; /* read plans */
	struct row_finder *finder;
	uint8_t *rows; /* per-syscall modes of `decode`, all DECODE_FULL */
};

/* Functions of recorder_look.c: */

/* Returns the thread's data, created at first use. */
struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb);
/*
 * Makes syscall.c decode into ev, the recorder's call instead of the session's. Returns the
 * previous call.
 */
struct syscall_event *recorder_swap(struct tcb *tcb, struct syscall_event *ev);
/* Requests everything that decoding might need at this stop. */
void recorder_look(struct recorder *r, const struct stop *stop);
/*
 * Do the same for the entry and the exit of a call. `over` means that the end of the call will not
 * be seen.
 */
void recorder_look_at_enter(struct recorder *r, struct recorded_thread *t, struct tcb *tcb);
void recorder_look_at_exit(struct recorder *r, struct recorded_thread *t, struct tcb *tcb,
			   bool over);
/* Invalidates facts that a call may have changed. */
void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev);
/*
 * Notes the high end of a thread's stack: the stack pointer after execve, or the end of the stack
 * that clone gives to a new thread. Walks need no memory beyond it.
 */
void recorder_note_bottom(struct recorder *r, const struct stop *stop);

#endif
