/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Access to libzstd. It is loaded when the first trace is written or read. Static binaries are
 * linked with it.
 */
#ifndef TRACER_TRACE_FORMAT_ZSTD_LIBRARY_H
#define TRACER_TRACE_FORMAT_ZSTD_LIBRARY_H

#include <zstd.h>

#include "util/library.h"

#define ZSTD_FUNCTIONS(X)                                                                          \
	X(ZSTD_createCCtx)                                                                         \
	X(ZSTD_freeCCtx)                                                                           \
	X(ZSTD_CCtx_setParameter)                                                                  \
	X(ZSTD_compressBound)                                                                      \
	X(ZSTD_compress2)                                                                          \
	X(ZSTD_createDCtx)                                                                         \
	X(ZSTD_freeDCtx)                                                                           \
	X(ZSTD_decompressDCtx)                                                                     \
	X(ZSTD_isError)

/* The functions that tracer uses, as declared in zstd.h. */
struct zstd_library {
	ZSTD_FUNCTIONS(LIBRARY_POINTER)
};

/*
 * Loads libzstd. Returns false if it is missing or too old. In this case, none of its functions may
 * be called.
 */
bool zstd_library_load(struct zstd_library *z);

#endif
