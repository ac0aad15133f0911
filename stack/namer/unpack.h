/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decompresses parts of files, by libelf and liblzma. Only the namer may call it. */
#ifndef TRACER_STACK_NAMER_UNPACK_H
#define TRACER_STACK_NAMER_UNPACK_H

#include "stack/namer/wire.h"

struct namer_libraries;

/*
 * Decompresses the part of the file in that q says, and writes it to the file out: at most q->max
 * bytes. Returns false if it would be longer, or is damaged, or the library for it is missing;
 * out may have been written to.
 */
bool unpack(const struct namer_libraries *libs, const struct namer_question *q, int in, int out);

#endif
