/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reverse of util/deflate.h, by zlib. */
#ifndef TRACER_TESTS_INFLATE_H
#define TRACER_TESTS_INFLATE_H

#include "util/strbuf.h"

/* Appends what the n bytes at in are compressed from. Fails the test if they are anything but one
 * whole stream. */
void inflate_bytes(struct strbuf *out, const void *in, size_t n);

#endif
