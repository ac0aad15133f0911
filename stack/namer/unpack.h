/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompression with libelf and liblzma. Tracees' files must be decompressed only in the namer
 * process (namer.h), because they may be malicious.
 */
#ifndef TRACER_STACK_NAMER_UNPACK_H
#define TRACER_STACK_NAMER_UNPACK_H

#include "stack/namer/wire.h"

struct namer_libraries;

/*
 * Decompresses the part of the file `in` that q describes. Writes the result, at most q->max bytes,
 * to the file `out`. Returns false if the result would be longer, if the data is damaged, or if the
 * library is missing. A part of the result may have been written to `out` even if the function
 * returns false.
 */
bool unpack(const struct namer_libraries *libs, const struct namer_request *q, int in, int out);

#endif
