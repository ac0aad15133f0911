/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads of the tracee's memory, served from memory read ahead (decode/core/read_ahead.h) if
 * possible.
 */
#ifndef TRACER_DECODE_CORE_READ_H
#define TRACER_DECODE_CORE_READ_H

#include "capture/plan.h"
#include "decode/core/decode.h"

/* Limits of reading ahead: the number of ranges, and the bytes of each. */
#define PREFETCH_MAX   64
#define PREFETCH_BYTES 1024 /* of a struct or an array */
#define PREFETCH_TEXT  4096 /* of a string or a buffer, which are shortened by -s */

/* The ranges that were read ahead: reads[0] to reads[n - 1]. */
struct prefetch {
	/* Does the planned reads. Called by the first read and then set to NULL. */
	void (*fill)(struct decoder *d);
	const struct syscall_desc *desc; /* the row whose plan lists the ranges */
	unsigned n;
	struct plan_read reads[PREFETCH_MAX];
};

/*
 * Reads the n bytes at addr ahead in one kernel call, up to the first unreadable byte and at most
 * 64 KiB. For decoders that read a range piece by piece: their later reads use this copy.
 */
void decode_read_range(struct decoder *d, uint64_t addr, size_t n);

/* Like memory_read_string() (capture/memory.h), but uses memory read ahead if possible. */
ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n);

/* Like memory_read_some() (capture/memory.h), but uses memory read ahead if possible. */
ssize_t decode_read_some(struct decoder *d, uint64_t addr, void *buf, size_t n);
/*
 * Copies to buf at most n of the bytes at addr, as far as they were read ahead, and returns their
 * number. Does the planned reads if they are still due, but reads nothing else of the tracee.
 */
size_t decode_read_known(struct decoder *d, uint64_t addr, void *buf, size_t n);

#endif
