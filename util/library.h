/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared libraries that few runs need. A library that tracer is linked with is loaded and relocated
 * at each start, which costs nine kernel calls and some 50 microseconds; these are loaded when they
 * are first used.
 */
#ifndef TRACER_UTIL_LIBRARY_H
#define TRACER_UTIL_LIBRARY_H

#include <stddef.h>

#include "defs.h"

/* A function of a library, and where in a struct of pointers to functions its pointer belongs. */
struct library_function {
	const char *name;
	size_t offset;
};

/*
 * Loads the library that dlopen(3) finds by its soname, and stores the addresses of n functions in
 * the struct. The library stays until the process ends; loading it again costs little. Returns
 * false, and the struct is not complete, if the library or one of the functions is missing.
 */
bool library_load(const char *soname, const struct library_function *functions, size_t n,
		  void *pointers);

#endif
