/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compression in the "deflate" format (RFC 1951), which all browsers can decompress. Each call
 * creates a separate stream, without the header and checksum of zlib or gzip.
 */
#ifndef TRACER_UTIL_DEFLATE_H
#define TRACER_UTIL_DEFLATE_H

#include "util/strbuf.h"

/*
 * Contains pointers to zlib's functions. deflate_create() loads zlib, unless it is linked into a
 * static binary.
 */
struct deflate;

/* Loads zlib if possible. Never returns NULL. Free the result with deflate_destroy(). */
struct deflate *deflate_create(void);
void deflate_destroy(struct deflate *d);

/*
 * Compresses the n bytes at `in` and appends the result. Without zlib, appends uncompressed blocks.
 * n must be less than 2^31.
 */
void deflate_bytes(const struct deflate *d, struct strbuf *out, const void *in, size_t n);

#endif
