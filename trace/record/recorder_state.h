/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One recorder, for its own files alone. */
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

/* What is kept of a thread. */
struct recorded_thread {
	struct recorded_memory memory;
	bool gone;		    /* it is to be freed once its last stop is written down */
	struct syscall_event *call; /* the call as the recorder decodes it; NULL before the first */
	struct stop_state state;    /* what was written of it last */
	uint64_t part;		    /* in which it was added to parts last, plus one */
	pid_t tid;		    /* that it had then */
	uint64_t bottom;	    /* where its stack began; 0: unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file; /* or, with last: */
	struct tape *tape;
	struct block_header meta; /* of the block META, with its body: */
	struct strbuf meta_body;
	size_t calls; /* in the block under way */
	unsigned group;
	struct decode_config decode;
	bool tampers;
	struct recorded_facts facts;
	struct recorded_reads reads;
	struct strbuf answers; /* records of facts at this stop */
	struct strbuf body;    /* of the block under way */
	struct block_header h; /* of that block; the times only once it has a stop */
	bool begun;	       /* it has */
	/* When that was by the clock, in ns. An engine may tell of stops long after they happened.
	 */
	uint64_t begun_at;
	uint64_t flushed; /* sequence when it was last asked whether the block is to be ended */
	pid_t thread;	  /* of the last record in it, 0: none yet */
	uint64_t block;	  /* number of the block, for what begins anew with each */
	uint64_t sequence, lost;
	struct recorder_totals totals;
	uint64_t since_state;		 /* bytes of bodies since reading may have begun */
	struct part_book parts;		 /* who has stops since then */
	uint64_t mono;			 /* of the stop, in ns */
	struct recorded_thread *stopped; /* between recorder_stop() and recorder_done() */
	struct stack_book stacks;
	struct raw_book raw;
	struct strbuf stack; /* records of the stack of this stop */
	struct plans *plans; /* what is read ahead */
	struct row_finder *finder;
	uint8_t *rows; /* per-syscall modes of `decode`, all DECODE_FULL */
};

/* recorder_look.c: */

/* The thread's data, made when it is seen for the first time. */
struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb);
/* Lets syscall.c work on the call as the recorder decodes it, and not as the session does. */
struct syscall_event *recorder_swap(struct tcb *tcb, struct syscall_event *ev);
/* All that might be asked at this stop, so that the answers are known when the trace is read. */
void recorder_look(struct recorder *r, const struct stop *stop);
/* The same of an entry, and of an exit; over: the call will not be seen to end. */
void recorder_look_at_enter(struct recorder *r, struct recorded_thread *t, struct tcb *tcb);
void recorder_look_at_exit(struct recorder *r, struct recorded_thread *t, struct tcb *tcb,
			   bool over);
/* What a call may have changed for those who ask for facts. */
void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev);
/*
 * A stack begins where the stack pointer is when execve returns, or where a new thread is told to
 * have its own. Beyond that there is nothing that a walk needs.
 */
void recorder_note_bottom(struct recorder *r, const struct stop *stop);

#endif
