/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Demangling with libiberty. Only the namer may use it for names from tracees. */
#ifndef TRACER_STACK_NAMER_DEMANGLE_H
#define TRACER_STACK_NAMER_DEMANGLE_H

#include "defs.h"

/* Whether a name looks mangled: _Z… or _R…. */
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Demangles a C++ or Rust name. The caller frees the result. Returns NULL for other names, and if
 * the result would be longer than NAMER_NAME_MAX.
 */
char *symbol_demangle(const char *name);

#endif
