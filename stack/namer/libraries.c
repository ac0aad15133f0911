/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/namer/libraries.h"

#include "util/msg.h"

#if defined LIBELF_SONAME || defined LIBDW_SONAME || defined LIBLZMA_SONAME
static bool load(const char *soname, const char *const *names, size_t n, void *pointers)
{
	if (library_load(soname, names, n, pointers))
		return true;
	msg("%s is missing or too old: stacks have fewer names and lines", soname);
	return false;
}
#endif

#ifdef LIBELF_SONAME
LIBRARY_NOTE(libelf, "elf", "Read compressed debug information", LIBELF_SONAME);
#endif
#if WITH_LIBDW && defined LIBDW_SONAME
LIBRARY_NOTE(libdw, "dwarf", "Show source lines and inlined functions", LIBDW_SONAME);
#endif
#ifdef LIBLZMA_SONAME
LIBRARY_NOTE(liblzma, "lzma", "Read names in .gnu_debugdata", LIBLZMA_SONAME);
#endif

static bool load_elf(struct libelf *elf)
{
#ifdef LIBELF_SONAME
	static const char *const names[] = {LIBELF_FUNCTIONS(LIBRARY_NAME)};

	return load(LIBELF_SONAME, names, ARRAY_SIZE(names), elf);
#else
	*elf = (struct libelf){LIBELF_FUNCTIONS(LIBRARY_LINKED)};
	return true;
#endif
}

#if WITH_LIBDW
static bool load_dw(struct libdw *dw)
{
#ifdef LIBDW_SONAME
	static const char *const names[] = {LIBDW_FUNCTIONS(LIBRARY_NAME)};

	return load(LIBDW_SONAME, names, ARRAY_SIZE(names), dw);
#else
	*dw = (struct libdw){LIBDW_FUNCTIONS(LIBRARY_LINKED)};
	return true;
#endif
}
#endif

#ifdef HAVE_LIBLZMA
static bool load_lzma(struct liblzma *lzma)
{
#ifdef LIBLZMA_SONAME
	static const char *const names[] = {LIBLZMA_FUNCTIONS(LIBRARY_NAME)};

	return load(LIBLZMA_SONAME, names, ARRAY_SIZE(names), lzma);
#else
	*lzma = (struct liblzma){LIBLZMA_FUNCTIONS(LIBRARY_LINKED)};
	return true;
#endif
}
#endif

void namer_libraries_load(struct namer_libraries *l)
{
	l->has_elf = load_elf(&l->elf);
#if WITH_LIBDW
	l->has_dw = l->has_elf && load_dw(&l->dw);
#endif
#ifdef HAVE_LIBLZMA
	l->has_lzma = load_lzma(&l->lzma);
#endif
}
