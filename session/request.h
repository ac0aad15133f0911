/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One request of an io_uring, from its submission to its completion. Builds the event of the
 * request and passes the event to the filters and sinks. Private to the files that find requests
 * (session/requests.h).
 */
#ifndef TRACER_SESSION_REQUEST_H
#define TRACER_SESSION_REQUEST_H

#include "session/pending.h"
#include "uring/ring.h"
#include "util/vec.h"

struct session;
struct stack;
struct tcb;

struct ring {
	struct requests *all;
	pid_t tgid;
	int fd;
	bool has_params; /* true if `params` has been set */
	bool ready;	 /* true if `queues` has been set */
	bool refused;	 /* true if the requests of the ring cannot be read */
	bool missing;	 /* true if the descriptor was not found, or was not a ring */
	/* true if the positions in `queues` are from before IORING_REGISTER_RESIZE_RINGS */
	bool resized;
	/*
	 * If the requests of this ring are kept in the struct of another descriptor of the same
	 * ring, points to that struct. Otherwise NULL.
	 */
	struct ring *same;
	struct uring_params params;
	struct uring_ring queues;
	uint64_t count; /* number of requests so far */
	uint64_t chain; /* number of the first request of the chain that is being submitted; 0 if
			   there is none */
	struct pending pending;
	uint64_t settled; /* value of `count` at the end of the last io_uring_enter() */
	/* identifies the ring, as in struct capture_request; used if the engine reports requests */
	uint64_t id[2];
};

/* A ring that a thread has registered with IORING_REGISTER_RING_FDS. */
struct registered {
	pid_t tid;
	uint32_t index;
	struct ring *ring;
};

/*
 * The maximum number of ring descriptors in all processes. Rings beyond this limit are not read or,
 * if the engine reports requests, the oldest ring is dropped.
 */
#define RINGS_MAX 1024u

#define REQUEST_LISTS 65536u /* number of lists in `numbered`, a power of two */

struct requests {
	VEC(struct ring *) rings;
	VEC(struct registered) registered;
	uint64_t key; /* random key for the hash tables of all rings */
	/*
	 * The requests in progress, in lists that are selected by a hash of the ring and the
	 * number. Used only if the engine reports requests, otherwise NULL.
	 */
	struct request **numbered;
	unsigned pending; /* number of requests in progress, in all rings */
	size_t bytes;	  /* size in bytes of the values of the requests in progress */
	size_t turn;	  /* index of the ring that is read first at the next stop */
	uint64_t lost; /* number of completions that the kernel overwrote before they were read */
	uint64_t unknown; /* number of completions whose request was never seen */
	unsigned refused; /* number of rings whose requests cannot be read */
	bool full; /* true if RINGS_MAX was reached, and requests may be missing or incomplete */
	VEC(const char *) reasons; /* reasons that were already reported */
};

/*
 * Begins a request of ring r that the thread submits: decodes the arguments, and adds the request
 * to the pending requests. If too many requests are pending, abandons the oldest ones. The caller
 * keeps ownership of stack, which may be NULL. Returns the request.
 */
struct request *request_begin(struct session *s, struct tcb *tcb, struct ring *r,
			      const struct uring_sqe *sqe, struct stack *stack);
/*
 * Shows a completion of a request. Frees the request if no further completion follows. A
 * notification (URING_CQE_NOTIF) is not shown, and frees the request. tcb is a thread of the
 * process that submitted the request.
 */
void request_complete(struct session *s, struct tcb *tcb, struct request *q,
		      const struct uring_cqe *cqe);
/* Returns the request of ring r with this number, or NULL. Requires `numbered`. */
struct request *request_find(const struct ring *r, uint64_t number);
/* Shows a request whose result is unknown, and frees it. */
void request_abandon(struct session *s, struct request *q);
/* Frees a request without showing it. */
void request_drop(struct request *q);

#endif
