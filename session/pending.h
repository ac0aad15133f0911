/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The requests of one io_uring that are in progress: in the order of their submission, and by
 * user_data, which completions refer to. Finding a request takes constant time, whatever values the
 * tracee chooses.
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
	struct ring_request shown;
	uint32_t at;  /* its position in the submission queue */
	bool hidden;  /* the filters do not select it */
	bool watched; /* --fail-on or --stop-on may match it */
	struct uring_call call;
	size_t bytes;		       /* memory of its values */
	struct request *newer, *older; /* in the order of their submission */
	/*
	 * The requests with the same user_data are a circular list, from the oldest to the newest.
	 * Only the oldest of them is in the bucket's list.
	 */
	struct request *next_alike, *prev_alike;
	struct request *next;	       /* in the bucket */
	struct request *next_numbered; /* with an engine that reports requests: in its list */
	/* With IOSQE_CQE_SKIP_SUCCESS: the list of such requests of the ring. */
	struct request *next_silent, *prev_silent;
};

/* All {0}, except key. */
struct pending {
	uint64_t key; /* random, so that a tracee cannot put all its requests into one bucket */
	struct request *buckets[PENDING_BUCKETS];
	struct request *oldest, *newest;
	struct request *first_silent, *last_silent;
};

void pending_add(struct pending *p, struct request *q);
void pending_remove(struct pending *p, struct request *q);
/* Returns the oldest request with this user_data, or NULL. */
struct request *pending_find(const struct pending *p, uint64_t user_data);

#endif
