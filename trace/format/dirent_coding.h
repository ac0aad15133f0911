/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that getdents64(2) has filled, as records DIRENTS of doc/trace-format.md tell it: what all
 * entries have of one kind together, inodes and offsets as differences. That takes a quarter less
 * room than the memory does once both are compressed. What lies between the end of a name and the
 * next entry, which the kernel does not write, is not told: it is zeroes then.
 */
#ifndef TRACER_TRACE_FORMAT_DIRENT_CODING_H
#define TRACER_TRACE_FORMAT_DIRENT_CODING_H

#include "trace/format/coding.h"
#include "util/mem.h"

/* Appends n bytes, if they are whole entries. Returns false, and appends nothing, if not. */
bool dirents_put(struct strbuf *out, const uint8_t *bytes, size_t n);
/*
 * Takes what dirents_put() has put: *n bytes in the arena, at most max. NULL if that cannot be
 * right.
 */
const uint8_t *dirents_take(struct cursor *in, struct arena *arena, size_t max, size_t *n);

#endif
