/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records what an engine reports, so that a later run can decode it again, with other options:
 * --write-trace. At every stop of a syscall the recorder decodes the call with options that look at
 * more than any others, through a memory and facts that remember what they are asked. The values
 * are thrown away; what was asked is written down with the registers (doc/trace-format.md).
 */
#ifndef TRACER_TRACE_RECORD_RECORDER_H
#define TRACER_TRACE_RECORD_RECORDER_H

#include <time.h>

#include "trace/format/meta.h"
#include "trace/record/recorder_totals.h"
#include "decode/core/config.h"

struct capture;
struct map_table;
struct stack;
struct stop;
struct tcb;
struct unwinder;

/* So much of a string, a buffer or an array is kept at least. */
#define RECORD_STRINGS 256

struct recorder_config {
	const char *path;    /* as of trace_file_open() */
	size_t last;	     /* so many calls are kept (tape.h); 0: all are written at once */
	unsigned group;	     /* the threads of that group (struct tcb) are recorded here */
	struct facts *facts; /* what is asked, borrowed: the engine's */
	bool tampers;	     /* calls may be tampered with: see recorder_tampered() */
	bool follow;	     /* -f: all who may share a tracee's descriptors are traced */
	size_t raw_stack;    /* bytes of a stack in recorder_raw(); 0: RAW_STACK_DEFAULT */
	struct decode_config decode; /* what the user has asked to see; no plans are needed */
};

struct recorder;
/*
 * Opens the file, unless it keeps what it records. recorder_facts() are to take the place of the
 * engine's facts, before it has any tracees. Returns NULL after a message. c is borrowed and must
 * outlive the recorder.
 */
struct recorder *recorder_create(const struct recorder_config *config, struct capture *c);
struct facts *recorder_facts(struct recorder *r);
/*
 * All that is traced from the start is there; meta (borrowed for the call) says what is known of
 * the run. From here on records are written. Until then nothing else may be called. Returns when
 * the recording began, as trace_began() will tell it.
 */
int64_t recorder_start(struct recorder *r, const struct trace_meta *meta);

/*
 * What happened, before anybody else looks at it: notes the time, which is that of the stop from
 * now on, and looks at what decoding may want to know. The thread's memory is from now on one that
 * remembers.
 */
void recorder_stop(struct recorder *r, struct stop *stop);
/*
 * With tampers: arguments in memory that the call under way has at its entry were changed, so that
 * what has been read of them is not true any more.
 */
void recorder_poked(struct recorder *r, struct tcb *tcb);
/*
 * With tampers, at the return of each call, before anybody decodes its result: what was done to the
 * call as the log says it, or NULL. Until then nothing has been looked at.
 */
void recorder_tampered(struct recorder *r, struct tcb *tcb, struct foreign note);

/* The stack of the thread that is stopped, which u has captured. Borrowed for the call. */
void recorder_stack(struct recorder *r, struct unwinder *u, struct stack *stack);
/*
 * The thread that is stopped has a stack, which is to be walked when the trace is read. u names
 * files, and is borrowed for the call; maps are all that it can execute, and are put.
 */
void recorder_raw(struct recorder *r, struct unwinder *u, struct tcb *tcb, struct map_table *maps);
/* While a stack is walked, what is read of memory is not kept. */
void recorder_walks(struct recorder *r, bool walks);
/* All has been read that is going to be: writes the stop down. The thread may run on by now. */
void recorder_done(struct recorder *r, const struct stop *stop);
/* Nothing more comes of the thread. */
void recorder_forget(struct recorder *r, struct tcb *tcb);

/*
 * With last: writes what is kept to a file of its own, and keeps what comes from then on. Not
 * between recorder_stop() and recorder_done(). w->path is NULL if there was nothing. Returns 0, or
 * -errno after a message.
 */
struct tape_written;
int recorder_write_kept(struct recorder *r, struct tape_written *w);

/* *at is when recorder_flush() is to be called at the latest, CLOCK_MONOTONIC; false: never. */
bool recorder_deadline(const struct recorder *r, struct timespec *at);
/* What is due is given to the file. Returns 0, or -errno of a write that failed. */
int recorder_flush(struct recorder *r);

/*
 * Tracing ends, before what is still traced is let go of. The stop gets the time, which is that of
 * all that comes after.
 */
void recorder_end(struct recorder *r, struct stop *stop);
/*
 * Writes the rest of the trace, but not what a tape keeps, puts into *totals what was written, and
 * frees r. Returns 0, or -errno of a write that failed. NULL is fine.
 */
int recorder_close(struct recorder *r, struct recorder_totals *totals);

#endif
