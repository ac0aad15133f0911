/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The identities of the things that calls wait for. */
#ifndef TRACER_WAKE_THINGS_H
#define TRACER_WAKE_THINGS_H

#include "event/event.h"
#include "event/wakeup.h"
#include "wake/posts.h"

enum thing {
	THING_DATA = 1, /* data at one end of a pipe or connection */
	THING_CLOSE,	/* the close of the other end */
	THING_SPACE,	/* space for more data, written at one end */
	THING_FUTEX,
	THING_SHARED_FUTEX,
	THING_EXIT,   /* the end of a thread or process */
	THING_EXEC,   /* an execve by a process */
	THING_SIGNAL, /* a signal to a thread or process */
	THING_LOCK,   /* the release of a lock on a file */
	THING_HELD,   /* the possession of such a lock */
	THING_LISTEN, /* a connection to a listening socket */
	THING_EPOLL,  /* an event of an epoll instance */
};

/* Returns the key of a thing that two numbers identify; never 0. */
wake_key thing_key(enum thing thing, uint64_t a, uint64_t b);

/* A descriptor as an end of a pipe or connection. Both ends of a pipe have the same number. */
struct end {
	uint64_t self, other; /* numbers of this end and the other one; 0 if unknown */
	enum wake_cause cause;
};

/* Identifies the end that fd refers to in process tgid. fd may be NULL. */
struct end end_of(const struct value *fd, pid_t tgid);
/* Returns the number of the file of a descriptor, by its path; 0 if it is unknown. */
uint64_t file_of(const struct value *fd);
/* Returns the number of the address on which a listening socket waits; 0 if it is unknown. */
uint64_t listen_of(const struct value *fd);
/* Returns the number of the address to which connect(2) connects; 0 if it is unknown. */
uint64_t connect_of(const struct syscall_event *e);

#endif
