/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of the engine that reads a trace, private to player.c and player_read.c. player_read.c
 * reads the records, and player.c reports the stops.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_STATE_H
#define TRACER_TRACE_PLAY_PLAYER_STATE_H

#include "capture/chunks.h"
#include "event/event.h"
#include "trace/format/block.h"
#include "trace/format/stops.h"
#include "trace/play/played_facts.h"
#include "trace/play/played_threads.h"
#include "trace/play/player_config.h"
#include "trace/play/player_raw.h"
#include "trace/play/player_stacks.h"

struct player {
	struct capture capture; /* must be first, because a struct capture is converted to a struct
				   player */
	struct trace *trace;
	struct player_config config;
	/* The memory at the reported stop. Its bytes are in the block or in `made`. */
	struct chunks memory;
	struct arena made;
	struct played_facts facts;
	struct played_stacks stacks;
	bool has_raw; /* true if the trace has raw stacks, which are walked while it is read */
	struct played_raw raw;
	struct played_threads threads;
	struct cursor in;      /* the part of the block that has not been read yet */
	struct block_header h; /* header of the block */
	uint64_t block;	       /* number of EVENTS blocks read so far */
	uint64_t mono;	       /* time of the last stop, in nanoseconds */
	uint64_t real;	       /* CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds */
	uint64_t sequence;     /* number of stops that were read or found missing */
	uint64_t stops;	       /* number of stop records that have been read */
	uint64_t addr;	       /* address in the previous memory record */
	/* Stands in for the thread of a request if that thread has ended. */
	struct played_thread nobody;
	/* The thread of the stop that was reported last, or NULL if the thread is gone. */
	struct played_thread *reported;
	pid_t tid;		   /* thread to which the following records belong; 0 if none */
	char note[TRACE_NOTE_MAX]; /* description of how tracer changed the call that ends at the
				      next stop; or "" */
	bool held; /* true if `record` contains a stop that must be reported before reading
		      continues */
	struct stop_record record;
	struct event event; /* the event of a STOP_EVENT; its data is in `made` */
	uint64_t lost;	    /* number of missing stops that have not been reported yet */
	bool reports; /* true if the time config.from has been reached, so stops are reported */
	bool ended;   /* true if the trace has ended */
};

/*
 * Returns true if the stop reports a request of an io_uring. The thread of a request may have
 * ended.
 */
static inline bool player_is_request(const struct stop *stop)
{
	return stop->kind == STOP_REQUEST_SUBMITTED || stop->kind == STOP_REQUEST_PUNTED ||
	       stop->kind == STOP_REQUEST_COMPLETED;
}

/* Frees the memory and the other data of the reported stop. */
void player_stop_over(struct player *p);
/* Returns the thread of the stop in p->record, or NULL. */
struct played_thread *player_stopped(struct player *p);
/*
 * Reads one record. Ignores any data after the known fields, because later versions may add fields.
 */
void player_take_record(struct player *p);
/*
 * Reads the records of the STATE block with this header and body. Reading then continues with the
 * block after the STATE block.
 */
void player_begin_at(struct player *p, const struct block_header *h, const struct strbuf *body);
/*
 * Must be called at the start of a part. Skips parts of the trace that contain no stops of threads
 * to report. `first` is true at the start of the trace.
 */
void player_skip_parts(struct player *p, bool first);
/* Reads the next block with events. Returns false if there is none. */
bool player_next_block(struct player *p);
/*
 * Reads until p->record contains a stop or p->lost is not 0. Returns false if the trace ends before
 * that.
 */
bool player_read_on(struct player *p);

#endif
