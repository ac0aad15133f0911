/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decompresses the output of util/deflate.h with zlib. */
#ifndef TRACER_TESTS_INFLATE_H
#define TRACER_TESTS_INFLATE_H

#include "util/strbuf.h"

/*
 * Decompresses the n bytes at `in`, which must be exactly one complete stream, and appends the
 * result to *out. Otherwise fails the test. Without zlib, accepts only uncompressed blocks.
 */
void inflate_bytes(struct strbuf *out, const void *in, size_t n);

#endif
