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
	struct stop_state state; /* the last written state */
	uint64_t part;		 /* number of the last part it was added to, plus one */
	pid_t tid;		 /* its id at that time */
	uint64_t bottom;	 /* start of its stack; 0: unknown */
};

struct recorder {
	struct capture *capture;
	struct trace_file *file; /* or, with last: */
	struct tape *tape;
	struct block_header meta; /* the META block, with its body: */
	struct strbuf meta_body;
	size_t calls; /* number of calls in the current block */
	unsigned group;
	struct decode_config decode;
	bool tampers;
	struct recorded_facts facts;
	struct recorded_reads reads;
	struct strbuf answers; /* FACT records of this stop */
	struct strbuf body;    /* body of the current block */
	struct block_header h; /* header of that block; its times are valid once it has a stop */
	bool begun;	       /* the block has a stop */
	/*
	 * Clock time of its first stop, in ns. An engine may report stops long after they happened.
	 */
	uint64_t begun_at;
	uint64_t flushed; /* sequence when it was last checked whether the block is due */
	pid_t thread;	  /* thread of its last record; 0: none yet */
	uint64_t block;	  /* number of the block, for state that each block begins anew */
	uint64_t sequence, lost;
	struct recorder_totals totals;
	uint64_t since_state;		 /* bytes of bodies since the last STATE block */
	struct part_book parts;		 /* threads with stops since then */
	uint64_t mono;			 /* time of the stop, in ns */
	struct recorded_thread *stopped; /* between recorder_stop() and recorder_done() */
	struct stack_book stacks;
	struct raw_book raw;
	struct strbuf stack; /* stack records of this stop */
	struct plans *plans; /* read plans */
	struct row_finder *finder;
	uint8_t *rows; /* per-syscall modes of `decode`, all DECODE_FULL */
};

/* recorder_look.c: */

/* Returns the thread's data, created at first use. */
struct recorded_thread *recorder_thread(struct recorder *r, struct tcb *tcb);
/* Makes syscall.c decode into the recorder's call instead of the session's. */
struct syscall_event *recorder_swap(struct tcb *tcb, struct syscall_event *ev);
/* Requests everything that decoding might need at this stop. */
void recorder_look(struct recorder *r, const struct stop *stop);
/* The same for an entry and an exit. over: the end of the call will not be seen. */
void recorder_look_at_enter(struct recorder *r, struct recorded_thread *t, struct tcb *tcb);
void recorder_look_at_exit(struct recorder *r, struct recorded_thread *t, struct tcb *tcb,
			   bool over);
/* Invalidates facts that a call may have changed. */
void recorder_note_changes(struct recorder *r, const struct tcb *tcb,
			   const struct syscall_event *ev);
/*
 * A stack begins at the stack pointer after execve, or where clone places that of a new thread.
 * Memory beyond is not needed for walks.
 */
void recorder_note_bottom(struct recorder *r, const struct stop *stop);

#endif
