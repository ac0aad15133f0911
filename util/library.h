/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loads shared libraries at first use, because most runs do not need them. If tracer were linked
 * with such a library, the library would be loaded and relocated at each start, which takes nine
 * syscalls and about 50 microseconds.
 *
 * For each library, a macro lists the functions that tracer uses: #define LIST(X) X(function)
 * X(function). This list defines a struct of function pointers: struct name { LIST(LIBRARY_POINTER)
 * };
 */
#ifndef TRACER_UTIL_LIBRARY_H
#define TRACER_UTIL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

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
 * Adds an ELF note about a library that is loaded at run time, for tools that make packages. The
 * format is that of the UAPI Group's specification "ELF notes for dlopen() metadata". The arguments
 * are string literals and need no escapes in JSON.
 */
#define LIBRARY_NOTE(name, feature, description, soname)                                           \
	LIBRARY_NOTE_JSON(name, "[{\"feature\":\"" feature "\",\"description\":\"" description     \
				"\",\"priority\":\"recommended\",\"soname\":[\"" soname "\"]}]")
/*
 * clang's AddressSanitizer would put space between the notes. GCC's AddressSanitizer does not, and
 * GCC does not know this attribute.
 */
#ifdef __clang__
#define LIBRARY_NOTE_PACKED __attribute__((no_sanitize("address")))
#else
#define LIBRARY_NOTE_PACKED
#endif
#define LIBRARY_NOTE_JSON(name, json)                                                              \
	LIBRARY_NOTE_PACKED static const struct {                                                  \
		uint32_t name_size, json_size, type;                                               \
		char vendor[4];                                                                    \
		_Alignas(4) char text[sizeof(json)];                                               \
	} name##_note __attribute__((used, section(".note.dlopen"), aligned(4))) = {               \
		4, sizeof(json), 0x407c0c0a, "FDO", json}

/*
 * Loads a library by its soname, like dlopen(3). Stores the addresses of the n functions in the
 * struct `pointers`, in the order of `names`. The library stays loaded, and loading it again is
 * cheap. Returns false if the library or one of the functions is missing. The struct is then
 * incomplete.
 */
bool library_load(const char *soname, const char *const *names, size_t n, void *pointers);

#endif
