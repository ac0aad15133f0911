/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading ahead: the memory of several arguments in one kernel call. */
#ifndef TRACER_DECODE_READ_H
#define TRACER_DECODE_READ_H

#include "capture/plan.h"
#include "decode/core/decode.h"

/* How many ranges are read ahead at the most, and how long each may be. */
#define PREFETCH_MAX   64
#define PREFETCH_BYTES 512

/* Filled in up to n; the rest is not looked at. */
struct prefetch {
	unsigned n;
	struct plan_read reads[PREFETCH_MAX];
};

/*
 * Reads ahead, in one call for all that can be known at once, what the plan of desc names. What
 * it guesses wrong costs a read later, nothing else. Does nothing where no plans are configured.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

/* memory_read_string() through what was read ahead. */
ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n);

/* memory_read_some() through what was read ahead. */
ssize_t decode_read_some(struct decoder *d, uint64_t addr, void *buf, size_t n);
/* Up to n bytes from addr on, as many as were read ahead; 0 where none were. */
size_t decode_read_known(const struct decoder *d, uint64_t addr, void *buf, size_t n);

#endif
