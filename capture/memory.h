/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a tracee, as decoding sees it: live in a stopped process, recorded in
 * chunks, or made up by a test. Whoever reads does not know which of them it is.
 *
 * What cannot be had is told by two errors: -EFAULT, the tracee itself could not have
 * read it; -ENODATA, it may well be there, but was never captured. Other errors are
 * those of the engine (-ESRCH: the thread is gone). No failure is louder than that.
 */
#ifndef TRACER_CAPTURE_MEMORY_H
#define TRACER_CAPTURE_MEMORY_H

#include "defs.h"

struct memory;

/* One of several reads in memory_read_batch(). */
struct memory_op {
	uint64_t addr;
	void *buf; /* room for n bytes */
	size_t n;
	ssize_t got; /* filled in: bytes read, or -errno */
};

/* What an implementation provides. Callers use the functions below. */
struct memory_ops {
	/*
	 * Reads up to n bytes, as many as can be had from addr on: their count, or -errno
	 * where there is not one. n is not zero.
	 */
	ssize_t (*read_some)(struct memory *m, uint64_t addr, void *buf, size_t n);
	/* As memory_read(), where there is a quicker way than by parts; else NULL. */
	int (*read)(struct memory *m, uint64_t addr, void *buf, size_t n);
	/* As memory_read_batch(), where there is a quicker way than one by one; else NULL. */
	void (*read_batch)(struct memory *m, struct memory_op *ops, size_t count);
};

/* Embedded in what implements it. */
struct memory {
	const struct memory_ops *ops;
};

/* Reads exactly n bytes: 0, or -errno of the first byte that is missing. */
int memory_read(struct memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;
/* Reads up to n bytes, as many as can be had from addr on: their count, or -errno when none can. */
ssize_t memory_read_some(struct memory *m, uint64_t addr, void *buf, size_t n);
/*
 * Reads a string of up to n bytes: the count of bytes before the NUL, or n when
 * there is no NUL within them; -errno when memory ends before either.
 */
ssize_t memory_read_string(struct memory *m, uint64_t addr, char *buf, size_t n);
/* Several reads, in one kernel call where memory is live; each op gets its own result. */
void memory_read_batch(struct memory *m, struct memory_op *ops, size_t count);

#endif
