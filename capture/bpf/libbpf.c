/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "capture/bpf/libbpf.h"

#ifdef LIBBPF_SONAME
LIBRARY_NOTE(libbpf, "bpf", "Trace with --engine=bpf", LIBBPF_SONAME);
#endif

bool libbpf_load(struct libbpf *bpf)
{
#ifdef LIBBPF_SONAME
	static const char *const names[] = {LIBBPF_FUNCTIONS(LIBRARY_NAME)};

	if (!library_load(LIBBPF_SONAME, names, ARRAY_SIZE(names), bpf))
		return false;
#else
	*bpf = (struct libbpf){LIBBPF_FUNCTIONS(LIBRARY_LINKED)};
#endif
	/* Disable libbpf's own messages. capture/bpf/loaded.c explains errors in one line. */
	bpf->libbpf_set_print(NULL);
	return true;
}
