/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces demangle.c in builds without libiberty. Names remain mangled. */
#include "stack/namer/demangle.h"

char *symbol_demangle(const char *name attr_unused)
{
	return NULL;
}
