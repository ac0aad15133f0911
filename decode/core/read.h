/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading the tracee's memory: from what was read ahead (decode/core/read_ahead.h) where that has
 * it.
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
	/* Reads them, once anything is read: called by the first read, and then NULL; or NULL. */
	void (*fill)(struct decoder *d);
	const struct syscall_desc *desc; /* whose plan names them */
	unsigned n;
	struct plan_read reads[PREFETCH_MAX];
};

/*
 * Reads the n bytes at addr, or as many of them as can be read and are at most 64 KiB, in one
 * kernel call, for a decoder that looks at them piece by piece: the reads that it makes later are
 * served from them.
 */
void decode_read_range(struct decoder *d, uint64_t addr, size_t n);

/* memory_read_string() (capture/memory.h), but from what was read ahead where that has it. */
ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n);

/* memory_read_some() (capture/memory.h), but from what was read ahead where that has it. */
ssize_t decode_read_some(struct decoder *d, uint64_t addr, void *buf, size_t n);
/*
 * Copies to buf at most n bytes from addr on that were read ahead, and returns their number; 0 if
 * there are none. Reads nothing else of the tracee.
 */
size_t decode_read_known(struct decoder *d, uint64_t addr, void *buf, size_t n);

#endif
