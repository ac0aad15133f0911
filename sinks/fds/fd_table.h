/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The descriptors of a process, derived from its calls: which descriptors are open, what they refer
 * to, and which of them execve(2) closes.
 */
#ifndef TRACER_SINKS_FD_TABLE_H
#define TRACER_SINKS_FD_TABLE_H

#include "sinks/fds/fd_places.h"
#include "util/vec.h"

/*
 * The calls that open or close descriptors, in the syntax of -e trace=. A table is complete only if
 * all of them are passed to it.
 */
extern const char fd_table_calls[];

struct fd_slot {
	bool seen, open;
	bool inherited; /* true if the descriptor was inherited from the parent process */
	bool cloexec;
	char *path; /* NULL if unknown */
	struct place opened, closed;
};

/* The table; initially {0}. */
struct fd_table {
	VEC(struct fd_slot) slots; /* indexed by descriptor */
};

/*
 * Returns the slot of a descriptor, or NULL if the number is negative or too large. Valid until the
 * next call of a function of this header with this table.
 */
struct fd_slot *fd_slot_of(struct fd_table *t, int64_t fd);
/*
 * Marks a descriptor as closed by the call at `by`. Does nothing if the slot is NULL or already
 * closed.
 */
void fd_slot_close(struct fd_slot *slot, struct place by);
/*
 * Applies a successful call other than close(2). Stores `by`, the place of the call, in the slots
 * that the call opens or closes.
 */
void fd_table_call(struct fd_table *t, const struct syscall_event *e, struct place by);
/* Copies the parent's descriptors to the empty table of a new process. */
void fd_table_copy(struct fd_table *child, const struct fd_table *parent);
/* Closes the descriptors that a successful execve(2) closes. */
void fd_table_exec(struct fd_table *t);
void fd_table_deinit(struct fd_table *t);

#endif
