/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compression as RFC 1951 has it ("deflate"), which every browser can undo by itself. Each call
 * makes a stream of its own, without the header and checksum of zlib or gzip.
 */
#ifndef TRACER_UTIL_DEFLATE_H
#define TRACER_UTIL_DEFLATE_H

#include "util/strbuf.h"

/* What compression needs while it works: half a megabyte. It keeps nothing from call to call. */
struct deflate;

/* Never NULL; deflate_destroy() frees it. */
struct deflate *deflate_create(void);
void deflate_destroy(struct deflate *d);

/* Appends the n bytes at in, compressed. They must be less than 2^31. */
void deflate_bytes(struct deflate *d, struct strbuf *out, const void *in, size_t n);

#endif
