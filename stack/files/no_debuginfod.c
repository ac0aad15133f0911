/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces debuginfod.c in builds without debuginfod. Finds no files and starts no process. */
#include "stack/files/debuginfod.h"

struct debuginfod *debuginfod_create(void)
{
	return NULL;
}

void debuginfod_destroy(struct debuginfod *d attr_unused)
{
}

int debuginfod_open(struct debuginfod *d attr_unused, const char *build_id attr_unused)
{
	return -1;
}
