/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory filled by getdents64(2), in the form of DIRENTS records of doc/trace-format.md: the same
 * member of all entries is stored together, inodes and offsets as differences. After compression
 * this takes a quarter less space than the memory itself. Padding between a name and the next
 * entry, which the kernel does not write, is not stored and reads as zero.
 */
#ifndef TRACER_TRACE_FORMAT_DIRENT_CODING_H
#define TRACER_TRACE_FORMAT_DIRENT_CODING_H

#include "trace/format/coding.h"
#include "util/mem.h"

/* Appends n bytes if they are whole entries. Otherwise returns false and appends nothing. */
bool dirents_put(struct strbuf *out, const uint8_t *bytes, size_t n);
/*
 * Reads data written by dirents_put(): *n bytes in the arena, at most max. Returns NULL if they are
 * invalid.
 */
const uint8_t *dirents_take(struct cursor *in, struct arena *arena, size_t max, size_t *n);

#endif
