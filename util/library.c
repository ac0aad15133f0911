/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/library.h"

#include <dlfcn.h>
#include <string.h>

bool library_load(const char *soname, const char *const *names, size_t n, void *pointers)
{
	void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; library && i < n; i++) {
		void *f = dlsym(library, names[i]);

		if (!f)
			return false;
		memcpy((char *)pointers + i * sizeof(f), &f, sizeof(f));
	}
	return library;
}
