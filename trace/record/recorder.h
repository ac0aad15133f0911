/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records the events of an engine, so that a later run can decode them again with other options
 * (--write-trace). At every stop of a syscall, the recorder decodes the call with all options
 * enabled. The decoders read memory and facts through recorded_memory.h and recorded_facts.h, which
 * remember all data that is requested. The decoded values are discarded. The requested data is
 * written together with the registers (doc/trace-format.md).
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
struct syscall_event;
struct tcb;
struct unwinder;

/*
 * The recorder keeps at least this many bytes of each string or buffer, and at least this many
 * elements of each array.
 */
#define RECORD_STRINGS 256

struct recorder_config {
	const char *path; /* path of the file, see trace_file_open() */
	/*
	 * number of last calls to keep in memory until they are requested (tape.h); 0 to write all
	 * calls to the file immediately
	 */
	size_t last;
	unsigned group;	     /* value of `group` in struct tcb of the threads to record */
	struct facts *facts; /* answers questions about facts; borrowed from the engine */
	bool tampers;	     /* true if recorder_tampered() is called, because -e inject= is used */
	bool follow; /* true if processes and threads that a tracee creates are traced, too (-f) */
	/*
	 * True if all calls that can change the descriptors of tracees are recorded, at least until
	 * a tracee creates a process or thread that is not traced.
	 */
	bool sees_descriptors;
	size_t raw_stack; /* maximum number of bytes that recorder_raw() records of a stack; 0 means
			     RAW_STACK_DEFAULT */
	struct decode_config decode; /* the user's options, without read plans */
};

struct recorder;
/*
 * Creates a recorder. Opens the file, unless the recording is kept in memory. Before there are
 * tracees, the caller must replace the facts of engine c with the result of recorder_facts(). On
 * failure, prints a message and returns NULL. c is borrowed and must outlive the recorder.
 */
struct recorder *recorder_create(const struct recorder_config *config, struct capture *c);
struct facts *recorder_facts(struct recorder *r);
/*
 * Starts writing records. Must be called when all initial tracees exist, before the functions
 * below. `meta` describes the run and is borrowed during the call. Returns the start time of the
 * recording (CLOCK_REALTIME in nanoseconds).
 */
int64_t recorder_start(struct recorder *r, const struct trace_meta *meta);

/*
 * Must be called first at each stop. Sets the time of the stop, and requests all data that decoding
 * may need. Later reads of the thread's memory at this stop are recorded, too.
 */
void recorder_stop(struct recorder *r, struct stop *stop);
/*
 * Must be called if arguments in memory were changed at the entry of the current call, because the
 * recorded arguments are then out of date. Requires config->tampers.
 */
void recorder_poked(struct recorder *r, struct tcb *tcb);
/*
 * Must be called at the return of each call before the result is decoded, if config->tampers is
 * true. (In that case, recorder_stop() does not request data at this stop.) `note` describes how
 * the call was changed, as in the log. `note` is unset if the call was not changed.
 */
void recorder_tampered(struct recorder *r, struct tcb *tcb, struct foreign note);

/*
 * Must be called when the stopped thread submits a request of an io_uring, before the request's
 * arguments are decoded. Must be called again at each completion of the request except the last
 * one. Requests all data that decoding the arguments may need. `row` and `args` are as for
 * syscall_begin_request(). Returns the recorder's decoded form of the request. The caller frees it
 * with syscall_forget(). `request` is the result of an earlier call for the same request, or NULL.
 */
struct syscall_event *recorder_request(struct recorder *r, const struct tcb *tcb,
				       struct syscall_event *request, unsigned row,
				       const uint64_t args[SYSCALL_ARGS_MAX]);
/*
 * Must be called at a completion of the request, before the result is decoded. `result` is the
 * result of the request, or -errno for an error.
 */
void recorder_completion(struct recorder *r, const struct tcb *tcb, struct syscall_event *request,
			 int32_t result);

/*
 * Records the walked stack of the stopped thread. u is the unwinder that has captured the stack. u
 * and the stack are borrowed during the call.
 */
void recorder_stack(struct recorder *r, struct unwinder *u, struct stack *stack);
/*
 * Records the raw stack of the stopped thread. The stack will be walked when the trace is read. u
 * determines the build ids of files and is borrowed during the call. `maps` contains the thread's
 * executable mappings. This function releases the caller's reference to `maps`.
 */
void recorder_raw(struct recorder *r, struct unwinder *u, struct tcb *tcb, struct map_table *maps);
/*
 * Must be called with true before a stack is walked, and with false after that. Memory that is read
 * in between is not recorded.
 */
void recorder_walks(struct recorder *r, bool walks);
/*
 * Writes the record of the stop. All reads at this stop must be complete. The thread may already be
 * running again.
 */
void recorder_done(struct recorder *r, const struct stop *stop);
/* Frees the data about a thread that will have no more stops. */
void recorder_forget(struct recorder *r, struct tcb *tcb);

struct tape_written;

/*
 * Writes the calls that are kept in memory to a new file, and removes them from memory. Requires
 * config->last. Not allowed between recorder_stop() and recorder_done(). Sets w->path to NULL if
 * there was nothing to write. Returns 0 on success. On failure, prints a message and returns
 * -errno. If the file cannot be created, the calls stay in memory.
 */
int recorder_write_kept(struct recorder *r, struct tape_written *w);

/*
 * Returns the time (CLOCK_MONOTONIC) by which recorder_flush() must be called, or NULL if there is
 * no such time.
 */
const struct timespec *recorder_deadline(const struct recorder *r);
/* Writes the blocks that are due. Returns 0, or -errno if a write failed. */
int recorder_flush(struct recorder *r);

/*
 * Must be called when tracing ends, before the remaining tracees are detached. Sets the time of the
 * stop, which the caller uses for all later events.
 */
void recorder_end(struct recorder *r, struct stop *stop);
/*
 * Writes the rest of the trace, except calls that are kept in memory. Sets *totals to the totals of
 * the recording, and frees r, which may be NULL. Returns 0, or -errno if a write failed.
 */
int recorder_close(struct recorder *r, struct recorder_totals *totals);

#endif
