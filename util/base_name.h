/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_BASE_NAME_H
#define TRACER_UTIL_BASE_NAME_H

#include <string.h>

/* Returns the part of a path after its last slash: a pointer into `path`. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
