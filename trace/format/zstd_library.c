/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "trace/format/zstd_library.h"

#ifdef ZSTD_SONAME
LIBRARY_NOTE(zstd, "zstd", "Compress and read traces", ZSTD_SONAME);

bool zstd_library_load(struct zstd_library *z)
{
	static const char *const names[] = {ZSTD_FUNCTIONS(LIBRARY_NAME)};

	return library_load(ZSTD_SONAME, names, ARRAY_SIZE(names), z);
}
#else
/* Always returns true, because libzstd is linked statically in this build. */
bool zstd_library_load(struct zstd_library *z)
{
	*z = (struct zstd_library){ZSTD_FUNCTIONS(LIBRARY_LINKED)};
	return true;
}
#endif
