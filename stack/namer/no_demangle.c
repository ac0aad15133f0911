/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In place of demangle.c in a build without libiberty: names stay as the compiler wrote them. */
#include "stack/namer/demangle.h"

char *symbol_demangle(const char *name attr_unused)
{
	return NULL;
}
