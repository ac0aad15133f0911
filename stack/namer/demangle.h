/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Demangling with libiberty. Names from tracees must be demangled only in the namer process
 * (namer.h), because they may be malicious.
 */
#ifndef TRACER_STACK_NAMER_DEMANGLE_H
#define TRACER_STACK_NAMER_DEMANGLE_H

#include "defs.h"

/* Returns true if `name` starts with _Z or _R, as mangled names do. */
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Demangles a C++ or Rust name. The caller frees the result. Returns NULL for other names, or if
 * the result would be longer than NAMER_NAME_MAX.
 */
char *symbol_demangle(const char *name);

#endif
