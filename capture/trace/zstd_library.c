/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "capture/trace/zstd_library.h"

#include "util/library.h"

#ifdef ZSTD_SONAME
#define FUNCTION(name)                                                                             \
	{                                                                                          \
		"ZSTD_" #name, offsetof(struct zstd_library, name)                                 \
	}

static const struct library_function functions[] = {
	FUNCTION(createCCtx),	 FUNCTION(freeCCtx),	   FUNCTION(CCtx_setParameter),
	FUNCTION(compressBound), FUNCTION(compress2),	   FUNCTION(createDCtx),
	FUNCTION(freeDCtx),	 FUNCTION(decompressDCtx), FUNCTION(isError),
};

bool zstd_library_load(struct zstd_library *z)
{
	return library_load(ZSTD_SONAME, functions, ARRAY_SIZE(functions), z);
}
#else
/* It is linked, and so always there. */
bool zstd_library_load(struct zstd_library *z)
{
	*z = (struct zstd_library){
		.createCCtx = ZSTD_createCCtx,
		.freeCCtx = ZSTD_freeCCtx,
		.CCtx_setParameter = ZSTD_CCtx_setParameter,
		.compressBound = ZSTD_compressBound,
		.compress2 = ZSTD_compress2,
		.createDCtx = ZSTD_createDCtx,
		.freeDCtx = ZSTD_freeDCtx,
		.decompressDCtx = ZSTD_decompressDCtx,
		.isError = ZSTD_isError,
	};
	return true;
}
#endif
