/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the BPF engine. Only files in capture/bpf include this header. */
#ifndef TRACER_CAPTURE_BPF_ENGINE_STATE_H
#define TRACER_CAPTURE_BPF_ENGINE_STATE_H

#include "capture/bpf/facts.h"
#include "capture/bpf/files.h"
#include "capture/bpf/image.h"
#include "capture/bpf/kernel.h"
#include "capture/bpf/pid_levels.h"
#include "capture/bpf/threads.h"
#include "capture/capture.h"
#include "capture/chunks.h"
#include "capture/proc/late_reader.h"
#include "event/event.h"

struct mmaps;
struct spaces;
struct stack_parts;

#define LIVE_MAX 4096 /* size of live_pages[i] in bytes */

/*
 * The losses of a buffer that have already been reported: the lower 32 bits of the counters in
 * struct losses.
 */
struct reported_losses {
	uint32_t calls, results, others, ignored;
};

struct bpf_engine {
	/*
	 * must be first: pointers to struct capture are converted to pointers to struct bpf_engine
	 */
	struct capture capture;
	struct capture_config config;
	struct kernel *kernel;
	struct order *order; /* the stream of records; owned by `kernel` */
	/* the running system, which answers questions that the records cannot answer */
	struct facts *live;
	struct stream_facts facts;
	struct threads threads;
	struct pid_levels pids;
	struct chunks memory; /* the memory that was recorded for the last reported stop */
	/*
	 * Used only if stacks are wanted: the executable mappings, as reported by
	 * perf_event_open(2), and the memory and the files that a stack walk reads.
	 */
	struct mmaps *mmaps; /* NULL if no stacks are wanted */
	struct spaces *spaces;
	struct stack_parts *parts;
	struct map_source *live_maps;
	struct stream_files files;
	struct image image;
	const struct chunk_head *regs; /* registers of the last reported stop, or NULL */
	/*
	 * The current record, or NULL if all of its stops have been reported. One record can result
	 * in several stops.
	 */
	const struct record *record;
	size_t record_size;
	unsigned record_ring;
	struct reported_losses *lost; /* the losses that were already reported, for each buffer */
	/* The last refill() read all records from before this time (as in struct record). */
	uint64_t settled;
	uint64_t missed; /* number of skipped program runs that have already been reported */
	/* CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds. */
	int64_t real;
	unsigned pause_us;	  /* length of the last sleep */
	unsigned nreported;	  /* number of records taken from the rings since the last sleep */
	struct timespec check_at; /* next time to check whether all threads still exist */
	pid_t command;		  /* pid of the command that we started; 0 if none */
	bool reaped;		  /* true if the command's wait status has been read */
	int status;		  /* the command's wait status, if `reaped` is set */
	bool ended;
	bool finished; /* true if the programs are detached, so that no more records are written */
	bool drop;     /* true if the remaining records are counted instead of reported */
	struct {
		uint64_t calls, others;
	} dropped;	    /* numbers of dropped records that no STOP_LOST has reported yet */
	bool counts_calls;  /* true if calls are counted instead of reported */
	bool lists_running; /* true if bpf_engine_next_running() is used */
	/* The list of threads (struct thread_now), and the offset of its next element. */
	struct strbuf list;
	size_t listed;
	bool listing;	    /* true if the list has been read and is being returned */
	uint64_t listed_at; /* time when `list` was read (CLOCK_MONOTONIC in nanoseconds); 0 if
			       never */
	bool old_call; /* true if the last reported stop is the entry of a call that began before
			  tracing (old_calls.c) */
	bool counted_running; /* true if the calls that are still running have been counted */
	bool counts_reported; /* true if all counts have been reported at the end */
	/* Storage for counts.octaves if `counts` describes a call that began before tracing. */
	uint64_t old_octaves[COUNT_OCTAVES_N];
	struct capture_counts counts;	/* contents of stop->counts for a STOP_COUNTS */
	char cause[120];		/* contents of stop->cause for a STOP_LOST */
	struct capture_request request; /* contents of stop->request for a STOP_REQUEST_* */
	uint64_t ring_key;		/* random key that hides the kernel addresses of rings */
	struct event event;		/* contents of stop->event for a STOP_EVENT; its values are
					   in event_arena */
	struct arena event_arena;
	struct thread nobody; /* placeholder for the thread of a request if that thread has ended */
	/*
	 * Used when a stop is reported: reads from the live process the memory that the BPF
	 * programs could not read.
	 */
	struct late_reader late;
	unsigned live_used;
	uint8_t live_pages[4][LIVE_MAX];
};

static inline struct bpf_engine *bpf_engine_of(const struct capture *c)
{
	return (struct bpf_engine *)c;
}

/*
 * These functions implement the members of struct capture_ops with the same names. They are defined
 * in start.c.
 */
struct tcb *bpf_engine_start(struct capture *c, const char *path, char *const argv[],
			     char *const env[], void (*setup)(void *ctx), void *ctx, int *status);
int bpf_engine_attach(struct capture *c, pid_t pid, unsigned *attached);
/*
 * Adds a thread to e->threads and initializes its tcb. Does not make the programs trace the thread
 * (see kernel_add()). Never returns NULL.
 */
struct thread *bpf_engine_add(struct bpf_engine *e, pid_t tid, pid_t tgid, unsigned flags);

/* In running.c: implements next_running of struct capture_ops. */
bool bpf_engine_next_running(struct capture *c, struct capture_running *r);

/* In mapped.c: prepares to record stacks. On failure, prints a message and returns false. */
bool bpf_engine_open_stacks(struct bpf_engine *e);
void bpf_engine_close_stacks(struct bpf_engine *e);
/* Reads the mapping events that happened before `now`, which must not be in the future. */
void bpf_engine_read_mapped(struct bpf_engine *e, uint64_t now);
/*
 * Applies the mapping events that are older than `time`. May be called only if stacks are wanted.
 */
void bpf_engine_apply_mapped(struct bpf_engine *e, uint64_t time);
/* Implements get_regs of struct capture_ops. */
int bpf_engine_get_regs(const struct tcb *tcb, struct arch_regs *regs);

/*
 * In requests.c: sets *stop from the current record, which describes an io_uring request, and
 * releases the record. t is the thread that submits the request; NULL at later stops of the
 * request.
 */
void bpf_engine_describe_request(struct bpf_engine *e, struct thread *t, struct stop *stop);

/*
 * In sched.c: sets *stop from the current record, a context switch, a wake-up or a page fault, and
 * releases the record. t is NULL if the thread is unknown. Returns false if the record results in
 * no event.
 */
bool bpf_engine_report_sched(struct bpf_engine *e, struct thread *t, struct stop *stop);

/*
 * In report.c: reports the next stop of the current record, and releases the record after its last
 * stop. Returns false if the record resulted in no stop.
 */
bool bpf_engine_report(struct bpf_engine *e, struct stop *stop);
/*
 * Updates the cached stack blocks from the current record. May be called only if stacks are wanted.
 * Must then be called once for each record, in ring order.
 */
void bpf_engine_keep_stack(struct bpf_engine *e);
/* Sets the times of a stop. mono is CLOCK_MONOTONIC in nanoseconds. */
void bpf_engine_stamp(const struct bpf_engine *e, struct stop *stop, uint64_t mono);
/*
 * Reports the losses of a buffer that have not been reported yet. Returns false if there are none.
 */
bool bpf_engine_report_lost(struct bpf_engine *e, unsigned buffer,
			    const struct reported_losses *now, struct stop *stop);
/*
 * In old_calls.c: finds the threads that are still in a call that began before tracing. Must be
 * called before the programs are detached.
 */
void bpf_engine_find_old_calls(struct bpf_engine *e);
/*
 * Reports the next call that bpf_engine_find_old_calls() has found. The stop is a STOP_COUNTS if
 * calls are counted, otherwise a STOP_SYSCALL_ENTER. `now` is CLOCK_MONOTONIC in nanoseconds.
 * Returns false if there are no more such calls.
 */
bool bpf_engine_report_old_call(struct bpf_engine *e, uint64_t now, struct stop *stop);
/* Reports the end of a thread that is gone although no exit was recorded. */
void bpf_engine_report_gone(struct bpf_engine *e, struct thread *t, struct stop *stop);

#endif
