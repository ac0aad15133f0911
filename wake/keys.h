/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys identify the events for which calls wait, such as data in a certain pipe. */
#ifndef TRACER_WAKE_KEYS_H
#define TRACER_WAKE_KEYS_H

#include "event/event.h"
#include "event/wakeup.h"
#include "wake/posts.h"

/* The kinds of events that a call can wait for. */
enum awaited {
	AWAIT_DATA = 1, /* data arrives at one end of a pipe or connection */
	AWAIT_CLOSE,	/* the other end is closed */
	AWAIT_SPACE,	/* space for more data becomes available at one end */
	AWAIT_FUTEX,
	AWAIT_SHARED_FUTEX,
	AWAIT_EXIT,   /* a thread or process ends */
	AWAIT_EXEC,   /* a process calls execve */
	AWAIT_SIGNAL, /* a signal is sent to a thread or process */
	AWAIT_LOCK,   /* a file lock is released */
	AWAIT_HELD,   /* a file lock is held */
	AWAIT_LISTEN, /* a client connects to a listening socket */
	AWAIT_EPOLL,  /* an epoll instance has an event */
};

/*
 * Returns the key for an event of the kind `event` at the object that `a` and `b` identify. The key
 * is never 0.
 */
wake_key wake_key_of(enum awaited event, uint64_t a, uint64_t b);

/*
 * One end of a pipe or connection. A descriptor refers to an end. Both ends of a pipe have the same
 * id.
 */
struct end {
	uint64_t self, other; /* ids of this end and of the other end, or 0 if unknown */
	enum wake_cause cause;
};

/*
 * Returns the end to which the descriptor `fd` refers in process `tgid`. `fd` may be NULL. If the
 * kernel does not support sock_diag(7), the other end of a socket is unknown. The ends of named
 * pipes are always unknown, because the path of a named pipe looks like the path of a file.
 */
struct end end_of(const struct value *fd, pid_t tgid);
/* Returns an id for the file of a descriptor, based on its path, or 0 if the path is unknown. */
uint64_t file_of(const struct value *fd);
/* Returns an id for the address of a listening socket, or 0 if the address is unknown. */
uint64_t listen_of(const struct value *fd);
/*
 * Returns an id for the address to which a connect(2) call connects, or 0 if the address is
 * unknown.
 */
uint64_t connect_of(const struct syscall_event *e);

#endif
