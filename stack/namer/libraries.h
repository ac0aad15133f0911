/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The third-party libraries that parse tracees' files in the namer: libelf, libdw and liblzma. A
 * static binary contains them. Otherwise they are loaded before the namer is started for the first
 * time. Include config.h before this header.
 */
#ifndef TRACER_STACK_NAMER_LIBRARIES_H
#define TRACER_STACK_NAMER_LIBRARIES_H

#include <gelf.h>
#if WITH_LIBDW
#include <elfutils/libdw.h>
#endif
#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif

#include "util/library.h"

#define LIBELF_FUNCTIONS(X)                                                                        \
	X(elf_begin)                                                                               \
	X(elf_compress)                                                                            \
	X(elf_end)                                                                                 \
	X(elf_getscn)                                                                              \
	X(elf_getshdrstrndx)                                                                       \
	X(elf_nextscn)                                                                             \
	X(elf_rawdata)                                                                             \
	X(elf_strptr)                                                                              \
	X(elf_version)                                                                             \
	X(gelf_getchdr)                                                                            \
	X(gelf_getshdr)

/*
 * The following structs contain pointers to the library functions that the namer uses. The types of
 * the pointers come from the headers of the libraries.
 */
struct libelf {
	LIBELF_FUNCTIONS(LIBRARY_POINTER)
};

#if WITH_LIBDW
#define LIBDW_FUNCTIONS(X)                                                                         \
	X(dwarf_addrdie)                                                                           \
	X(dwarf_attr)                                                                              \
	X(dwarf_attr_integrate)                                                                    \
	X(dwarf_begin_elf)                                                                         \
	X(dwarf_diename)                                                                           \
	X(dwarf_end)                                                                               \
	X(dwarf_filesrc)                                                                           \
	X(dwarf_formstring)                                                                        \
	X(dwarf_formudata)                                                                         \
	X(dwarf_getscopes)                                                                         \
	X(dwarf_getscopes_die)                                                                     \
	X(dwarf_getsrc_die)                                                                        \
	X(dwarf_getsrcfiles)                                                                       \
	X(dwarf_lineno)                                                                            \
	X(dwarf_linesrc)                                                                           \
	X(dwarf_nextcu)                                                                            \
	X(dwarf_offdie)                                                                            \
	X(dwarf_ranges)                                                                            \
	X(dwarf_setalt)                                                                            \
	X(dwarf_tag)

struct libdw {
	LIBDW_FUNCTIONS(LIBRARY_POINTER)
};
#endif

#ifdef HAVE_LIBLZMA
#define LIBLZMA_FUNCTIONS(X) X(lzma_code) X(lzma_end) X(lzma_stream_decoder)

struct liblzma {
	LIBLZMA_FUNCTIONS(LIBRARY_POINTER)
};
#endif

/*
 * The available libraries. If a library's flag is not set, the library is missing or too old, and
 * its functions must not be called.
 */
struct namer_libraries {
	bool has_elf, has_dw, has_lzma;
	struct libelf elf;
#if WITH_LIBDW
	struct libdw dw; /* if has_dw is true, has_elf is true as well */
#endif
#ifdef HAVE_LIBLZMA
	struct liblzma lzma;
#endif
};

/*
 * Loads the libraries. Prints a message to standard error for each library that is missing or too
 * old.
 */
void namer_libraries_load(struct namer_libraries *l);

#endif
