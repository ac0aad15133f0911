/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a tracee as decoders see it: the memory of a live stopped process, recorded chunks
 * (capture/chunks.h), or memory that a test provides. Decoders work in the same way for all of
 * these.
 *
 * A read fails with -EFAULT if the tracee itself cannot read the memory. A read fails with -ENODATA
 * if the memory was not recorded, but may exist. Other errors come from the engine, such as -ESRCH
 * if the thread is gone. No function prints a message.
 */
#ifndef TRACER_CAPTURE_MEMORY_H
#define TRACER_CAPTURE_MEMORY_H

#include "defs.h"
#include "util/vec.h"

struct memory;

/* One of several reads in memory_read_batch(). */
struct memory_op {
	uint64_t addr;
	void *buf; /* space for n bytes */
	size_t n;
	ssize_t got; /* result of the read: number of bytes read, or -errno */
};

/* Reads that are made together. Initially {0}; freed with vec_deinit(). */
struct memory_batch {
	VEC(struct memory_op) ops;
};

/* The functions of one implementation. Callers use the functions below instead. */
struct memory_ops {
	/* Implements memory_read_some(), which never passes n = 0. */
	ssize_t (*read_some)(struct memory *m, uint64_t addr, void *buf, size_t n);
	/* Implements memory_read(). NULL if calling read_some() in a loop is as fast. */
	int (*read)(struct memory *m, uint64_t addr, void *buf, size_t n);
	/*
	 * Implements memory_read_string(). If NULL, memory_read_string() calls read_some(), which
	 * may read bytes after the end of the string.
	 */
	ssize_t (*read_string)(struct memory *m, uint64_t addr, char *buf, size_t n);
	/* Implements memory_read_batch(). NULL if separate reads are as fast. */
	void (*read_batch)(struct memory *m, struct memory_op *ops, size_t count);
	/* Implement memory_live_begin() and memory_live_end(). NULL if they do nothing. */
	void (*live_begin)(struct memory *m);
	bool (*live_end)(struct memory *m);
	/* Implements memory_is_urgent(). NULL if it would always return false. */
	bool (*is_urgent)(const struct memory *m);
};

/* The part that all implementations of memory share. Each implementation embeds this struct. */
struct memory {
	const struct memory_ops *ops;
};

/* Reads exactly n bytes. Returns 0, or -errno if any byte cannot be read. */
int memory_read(struct memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;
/*
 * Reads up to n bytes. Stops before memory that cannot be read. May also return fewer bytes
 * although more can be read; the caller can read the rest with another call. Returns the number of
 * bytes read, or -errno if the first byte cannot be read.
 */
ssize_t memory_read_some(struct memory *m, uint64_t addr, void *buf, size_t n);
/*
 * Reads a string of up to n bytes. Returns its length without the NUL, or n if the first n bytes
 * contain no NUL. Returns -errno if a byte before the end of the string cannot be read.
 */
ssize_t memory_read_string(struct memory *m, uint64_t addr, char *buf, size_t n);
/*
 * Makes the `count` reads in `ops`, with one system call if the memory is live. Sets `got` of each
 * op to the result of its read.
 */
void memory_read_batch(struct memory *m, struct memory_op *ops, size_t count);
/*
 * Between these two calls, memory that was not recorded is read from the live process, provided
 * that the thread has not run since the stop. memory_live_end() returns false if the thread may
 * have run before the last of these reads. The caller must then discard all data read since
 * memory_live_begin().
 */
static inline void memory_live_begin(struct memory *m)
{
	if (m->ops->live_begin)
		m->ops->live_begin(m);
}

static inline bool memory_live_end(struct memory *m)
{
	return !m->ops->live_end || m->ops->live_end(m);
}

/*
 * Returns true if tracer has something more urgent to do than reading memory, such as exiting. Code
 * that makes many reads must stop early if this is true.
 */
static inline bool memory_is_urgent(const struct memory *m)
{
	return m->ops->is_urgent && m->ops->is_urgent(m);
}

#endif
