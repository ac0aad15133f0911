/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libzstd, which is loaded when the first trace is written or read, or linked in a static binary.
 */
#ifndef TRACER_CAPTURE_TRACE_ZSTD_LIBRARY_H
#define TRACER_CAPTURE_TRACE_ZSTD_LIBRARY_H

#include <zstd.h>

#include "defs.h"

/* Its functions that are used here, as zstd.h declares them. */
struct zstd_library {
	typeof(ZSTD_createCCtx) *createCCtx;
	typeof(ZSTD_freeCCtx) *freeCCtx;
	typeof(ZSTD_CCtx_setParameter) *CCtx_setParameter;
	typeof(ZSTD_compressBound) *compressBound;
	typeof(ZSTD_compress2) *compress2;
	typeof(ZSTD_createDCtx) *createDCtx;
	typeof(ZSTD_freeDCtx) *freeDCtx;
	typeof(ZSTD_decompressDCtx) *decompressDCtx;
	typeof(ZSTD_isError) *isError;
};

/* Returns false if libzstd is missing or too old; then nothing of it may be called. */
bool zstd_library_load(struct zstd_library *z);

#endif
