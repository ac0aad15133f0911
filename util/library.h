/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared libraries that few runs need. A library that tracer is linked with would be loaded and
 * relocated at each start, which costs nine kernel calls and about 50 microseconds. The libraries
 * here are loaded at first use instead.
 *
 * A macro lists the functions of a library that are used: #define LIST(X) X(function) X(function).
 * It defines a struct of pointers: struct name { LIST(LIBRARY_POINTER) };
 */
#ifndef TRACER_UTIL_LIBRARY_H
#define TRACER_UTIL_LIBRARY_H

#include <stddef.h>

#include "defs.h"

/* A member of the struct: a pointer to the function, with the function's name. */
#define LIBRARY_POINTER(function) typeof(function) *function;
/*
 * An element of the array of names for library_load(). A function may be a macro that expands to
 * the name.
 */
#define LIBRARY_NAME(function)	  LIBRARY_NAME_OF(function),
#define LIBRARY_NAME_OF(function) #function
/* An initializer of the member if the program is linked with the library. */
#define LIBRARY_LINKED(function) .function = function,

/*
 * Loads the library that dlopen(3) finds by its soname, and stores the addresses of n functions, in
 * the order of their names, in the struct of pointers. The library stays loaded; loading it again
 * is cheap. Returns false if the library or one of the functions is missing; then the struct is
 * incomplete.
 */
bool library_load(const char *soname, const char *const *names, size_t n, void *pointers);

#endif
