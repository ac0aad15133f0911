/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records the events of an engine, so that a later run can decode them again with other options:
 * --write-trace. At every syscall stop the recorder decodes the call with all options enabled,
 * through a memory and facts that record what is requested. The values are discarded; the requested
 * data are written with the registers (doc/trace-format.md).
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

/* Minimum number of bytes or elements recorded of a string, a buffer or an array. */
#define RECORD_STRINGS 256

struct recorder_config {
	const char *path;    /* path for trace_file_open() */
	size_t last;	     /* number of calls to keep (tape.h); 0: all are written at once */
	unsigned group;	     /* record only threads of that group (struct tcb) */
	struct facts *facts; /* source of facts, borrowed from the engine */
	bool tampers;	     /* calls may be tampered with: see recorder_tampered() */
	bool follow;	  /* -f: all processes that may share a tracee's descriptors are traced */
	size_t raw_stack; /* bytes of a stack in recorder_raw(); 0: RAW_STACK_DEFAULT */
	struct decode_config decode; /* the user's options; plans are not needed */
};

struct recorder;
/*
 * Opens the file, unless the recording is kept in memory. recorder_facts() has to replace the
 * engine's facts before there are tracees. Returns NULL after a message. c is borrowed and must
 * outlive the recorder.
 */
struct recorder *recorder_create(const struct recorder_config *config, struct capture *c);
struct facts *recorder_facts(struct recorder *r);
/*
 * To be called once all initial tracees exist, before any other function; meta (borrowed for the
 * call) describes the run. Starts writing records. Returns the start of the recording, like
 * trace_began().
 */
int64_t recorder_start(struct recorder *r, const struct trace_meta *meta);

/*
 * To be called at a stop before any other use of it: sets the time of the stop and requests all
 * data that decoding may need. From now on the thread's memory is one that records reads.
 */
void recorder_stop(struct recorder *r, struct stop *stop);
/*
 * With tampers: arguments in memory were changed at the entry of the current call, so that recorded
 * reads of them are outdated.
 */
void recorder_poked(struct recorder *r, struct tcb *tcb);
/*
 * With tampers: to be called at the return of each call before its result is decoded, with the
 * change made to the call as the log states it, or NULL. Until then nothing has been requested.
 */
void recorder_tampered(struct recorder *r, struct tcb *tcb, struct foreign note);

/* Records the stack of the stopped thread, captured by u. Borrowed for the call. */
void recorder_stack(struct recorder *r, struct unwinder *u, struct stack *stack);
/*
 * Records the raw stack of the stopped thread, to be walked when the trace is read. u names files
 * and is borrowed for the call. maps are the thread's executable mappings; the reference is
 * released.
 */
void recorder_raw(struct recorder *r, struct unwinder *u, struct tcb *tcb, struct map_table *maps);
/* While a stack is walked, memory reads are not recorded. */
void recorder_walks(struct recorder *r, bool walks);
/* Writes the stop, after all reads for it. The thread may already be running again. */
void recorder_done(struct recorder *r, const struct stop *stop);
/* Nothing more comes of the thread. */
void recorder_forget(struct recorder *r, struct tcb *tcb);

/*
 * With last: writes the kept calls to a new file and starts over. Not allowed between
 * recorder_stop() and recorder_done(). w->path is NULL if there was nothing to write. Returns 0, or
 * -errno after a message.
 */
struct tape_written;
int recorder_write_kept(struct recorder *r, struct tape_written *w);

/*
 * Sets *at to the latest time to call recorder_flush(), CLOCK_MONOTONIC. Returns false if there is
 * none.
 */
bool recorder_deadline(const struct recorder *r, struct timespec *at);
/* Writes due blocks to the file. Returns 0, or -errno of a failed write. */
int recorder_flush(struct recorder *r);

/*
 * To be called when tracing ends, before the remaining tracees are detached. Sets the time of the
 * stop, which is that of all later ones.
 */
void recorder_end(struct recorder *r, struct stop *stop);
/*
 * Writes the rest of the trace, except for the content of a tape, sets *totals to what was written,
 * and frees r. Returns 0, or -errno of a failed write. r may be NULL.
 */
int recorder_close(struct recorder *r, struct recorder_totals *totals);

#endif
