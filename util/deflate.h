/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compression in the format of RFC 1951 ("deflate"), which every browser can decompress. Each call
 * creates a separate stream, without the header and checksum of zlib or gzip.
 */
#ifndef TRACER_UTIL_DEFLATE_H
#define TRACER_UTIL_DEFLATE_H

#include "util/strbuf.h"

/* Holds zlib, which is loaded when the first page is written, or linked in a static binary. */
struct deflate;

/* Never NULL; deflate_destroy() frees it. */
struct deflate *deflate_create(void);
void deflate_destroy(struct deflate *d);

/*
 * Appends the n bytes at in, compressed by zlib; without zlib, in the uncompressed form of the
 * format. n must be less than 2^31.
 */
void deflate_bytes(const struct deflate *d, struct strbuf *out, const void *in, size_t n);

#endif
