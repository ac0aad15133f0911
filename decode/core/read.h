/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading ahead: the memory of several arguments in one kernel call. */
#ifndef TRACER_DECODE_READ_H
#define TRACER_DECODE_READ_H

#include "decode/core/decode.h"

#define PREFETCH_MAX   6
#define PREFETCH_BYTES 512

struct prefetch {
	unsigned n;
	struct {
		uint64_t addr;
		size_t len; /* bytes that were readable */
		const uint8_t *bytes;
	} ranges[PREFETCH_MAX];
};

/*
 * Reads ahead, in one call, what the IN (entry) or OUT (exit) arguments of desc
 * point to. What it guesses wrong costs a read later, nothing else.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

/* memory_read_string() through what was read ahead. */
ssize_t decode_read_string(struct decoder *d, uint64_t addr, char *buf, size_t n);

#endif
