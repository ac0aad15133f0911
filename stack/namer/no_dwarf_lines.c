/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces dwarf_lines.c in builds without libdw. Finds no source lines. */
#include "stack/namer/dwarf_lines.h"

#include <unistd.h>

struct dwarf_source *dwarf_source_open(const struct namer_libraries *libs attr_unused, int fd,
				       int common)
{
	close(fd);
	if (common >= 0)
		close(common);
	return NULL;
}

void dwarf_source_close(struct dwarf_source *s attr_unused)
{
}

bool dwarf_source_find(struct dwarf_source *s attr_unused, uint64_t addr attr_unused,
		       struct strbuf *out attr_unused)
{
	return false;
}
