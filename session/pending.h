/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The requests in progress of one io_uring: a list in submission order, and a hash table.
 * Completions identify requests by user_data, which is the key of the hash table. A look-up takes
 * constant time, whatever values the tracee chooses.
 */
#ifndef TRACER_SESSION_PENDING_H
#define TRACER_SESSION_PENDING_H

#include "event/event.h"
#include "uring/ops.h"

struct ring;

#define PENDING_BUCKETS 1024u

/* A request that has been submitted. */
struct request {
	struct ring *ring;
	struct syscall_event *ev;
	/* the event as decoded for the recorder; NULL without a recorder */
	struct syscall_event *recorded;
	struct ring_request shown;
	uint32_t at;	/* position of the request in the submission queue */
	uint32_t audit; /* AUDIT_ARCH_* of the call that submitted the request */
	bool hidden;	/* true if the filters have dropped the request */
	bool watched;	/* true if --fail-on or --stop-on may match the request */
	struct uring_call call;
	size_t bytes;		       /* size in bytes of the request's values */
	struct request *newer, *older; /* neighbours in submission order */
	/*
	 * Requests with the same user_data form a circular list, from the oldest to the newest.
	 * Only the oldest one is in the list of the bucket.
	 */
	struct request *next_alike, *prev_alike;
	struct request *next;	       /* next request in the bucket's list */
	struct request *next_numbered; /* next request in its list of `numbered` */
	/* Links between the requests of the ring that have IOSQE_CQE_SKIP_SUCCESS. */
	struct request *next_silent, *prev_silent;
};

/* A set of requests. Initially, all members except `key` are 0. */
struct pending {
	/* random number that keeps a tracee from putting all its requests into one bucket */
	uint64_t key;
	struct request *buckets[PENDING_BUCKETS];
	struct request *oldest, *newest;
	struct request *first_silent, *last_silent;
};

void pending_add(struct pending *p, struct request *q);
void pending_remove(struct pending *p, struct request *q);
/* Returns the oldest request with this user_data, or NULL. */
struct request *pending_find(const struct pending *p, uint64_t user_data);

#endif
