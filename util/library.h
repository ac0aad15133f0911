/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loads shared libraries at first use, for libraries that most runs do not need. If tracer were
 * linked with such a library, the library would be loaded and relocated at each start, which takes
 * nine syscalls and about 50 microseconds.
 *
 * For each library, a macro lists the functions that tracer uses: #define LIST(X) X(function)
 * X(function). This list defines a struct of function pointers: struct name { LIST(LIBRARY_POINTER)
 * };
 */
#ifndef TRACER_UTIL_LIBRARY_H
#define TRACER_UTIL_LIBRARY_H

#include <stddef.h>

#include "defs.h"

/* Declares a member of the struct: a pointer to the function, with the same name. */
#define LIBRARY_POINTER(function) typeof(function) *function;
/*
 * An element of the `names` array for library_load(). `function` may be a macro that expands to the
 * name.
 */
#define LIBRARY_NAME(function)	  LIBRARY_NAME_OF(function),
#define LIBRARY_NAME_OF(function) #function
/* Initializes the member for a program that is linked with the library. */
#define LIBRARY_LINKED(function) .function = function,

/*
 * Loads a library by its soname, like dlopen(3). Stores the addresses of the n functions in the
 * struct `pointers`, in the order of `names`. The library stays loaded, and loading it again is
 * cheap. Returns false if the library or one of the functions is missing. The struct is then
 * incomplete.
 */
bool library_load(const char *soname, const char *const *names, size_t n, void *pointers);

#endif
