/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decompression with libelf and liblzma. Only the namer may use it. */
#ifndef TRACER_STACK_NAMER_UNPACK_H
#define TRACER_STACK_NAMER_UNPACK_H

#include "stack/namer/wire.h"

struct namer_libraries;

/*
 * Decompresses the part of file in that q specifies, and writes at most q->max bytes to file out.
 * Returns false if the result would be longer, if the data is damaged, or if the library is
 * missing. Even then, out may have been written to.
 */
bool unpack(const struct namer_libraries *libs, const struct namer_request *q, int in, int out);

#endif
