/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes the directory entries that getdents64(2) stores in memory, for DIRENTS records
 * (doc/trace-format.md). For each member of the entries, the values from all entries are stored one
 * after another. Inodes and offsets are stored as differences. After compression, this takes 25%
 * less space than the plain memory. The kernel does not write the padding between a name and the
 * next entry, so the padding is not stored and is decoded as zeroes.
 */
#ifndef TRACER_TRACE_FORMAT_DIRENT_CODING_H
#define TRACER_TRACE_FORMAT_DIRENT_CODING_H

#include "trace/format/coding.h"
#include "util/mem.h"

/*
 * Appends the encoding of n bytes. If the bytes are not complete entries, returns false and appends
 * nothing.
 */
bool dirents_put(struct strbuf *out, const uint8_t *bytes, size_t n);
/*
 * Decodes data written by dirents_put() to at most max bytes in the arena, and sets *n to their
 * number. Returns NULL if the data is invalid.
 */
const uint8_t *dirents_take(struct cursor *in, struct arena *arena, size_t max, size_t *n);

#endif
