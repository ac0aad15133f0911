/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared libraries that few runs need. A library that tracer is linked with is loaded and relocated
 * at each start, which costs nine kernel calls and some 50 microseconds; these are loaded when they
 * are first used.
 *
 * What is used of a library is a list, #define LIST(X) X(function) X(function), from which a struct
 * of pointers is made: struct name { LIST(LIBRARY_POINTER) };
 */
#ifndef TRACER_UTIL_LIBRARY_H
#define TRACER_UTIL_LIBRARY_H

#include <stddef.h>

#include "defs.h"

/* A member of the struct: a pointer to the function, of the function's name. */
#define LIBRARY_POINTER(function) typeof(function) *function;
/* An element of the array of names that library_load() takes. A function may be a macro that stands
 * for the name. */
#define LIBRARY_NAME(function)	  LIBRARY_NAME_OF(function),
#define LIBRARY_NAME_OF(function) #function
/* An initializer of the member, in a program that is linked with the library. */
#define LIBRARY_LINKED(function) .function = function,

/*
 * Loads the library that dlopen(3) finds by its soname, and stores the addresses of n functions, in
 * the order of their names, in the struct of pointers. The library stays until the process ends;
 * loading it again costs little. Returns false, and the struct is not complete, if the library or
 * one of the functions is missing.
 */
bool library_load(const char *soname, const char *const *names, size_t n, void *pointers);

#endif
