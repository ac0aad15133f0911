/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads of the tracee's memory. They use memory that was read ahead (decode/core/read_ahead.h) if
 * possible.
 */
#ifndef TRACER_DECODE_CORE_READ_H
#define TRACER_DECODE_CORE_READ_H

#include "capture/plan.h"
#include "decode/core/decode.h"

/* Limits on reading ahead: the number of ranges, and the number of bytes per range. */
#define PREFETCH_MAX   64
#define PREFETCH_BYTES 1024 /* maximum number of bytes of a struct or an array */
#define PREFETCH_TEXT  4096 /* the same for a string or a buffer, which -s shortens */

/* The ranges that were read ahead: reads[0] to reads[n - 1]. */
struct prefetch {
	/*
	 * Makes the planned reads. The first read calls this function and sets the pointer to NULL.
	 */
	void (*fill)(struct decoder *d);
	const struct syscall_desc *desc; /* the call whose read plan lists the ranges */
	unsigned n;
	struct plan_read reads[PREFETCH_MAX];
};

/*
 * Reads ahead up to n bytes at addr, at most 64 KiB, in one kernel call. Stops at the first
 * unreadable byte. Does nothing if PREFETCH_MAX ranges have already been read ahead, or if reading
 * ahead is off. Decoders that read a range in small steps call this first, so that their reads use
 * the copy.
 */
void decode_read_range(struct decoder *d, uint64_t addr, size_t n);

/* Like memory_read_string() (capture/memory.h), but uses memory that was read ahead if possible. */
ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n);

/* Like memory_read_some() (capture/memory.h), but uses memory that was read ahead if possible. */
ssize_t decode_read_some(struct decoder *d, uint64_t addr, void *buf, size_t n);
/*
 * Copies at most n bytes at addr to buf, provided that they have been read ahead. Returns the
 * number of bytes copied. Makes the planned reads if necessary, but reads no other memory of the
 * tracee.
 */
size_t decode_read_known(struct decoder *d, uint64_t addr, void *buf, size_t n);

#endif
