/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Debug files from debuginfod servers, see debuginfod-find(1). A file that is not in the client's
 * cache is fetched by a separate process, for which nobody waits: no tracee is delayed by the
 * network, and the next run finds the file. It runs at most four clients at once, goes on when
 * tracer has ended until it has asked for all files, and forgets what is too much to remember.
 * Servers are asked only if $DEBUGINFOD_URLS is set.
 */
#ifndef TRACER_STACK_FILES_DEBUGINFOD_H
#define TRACER_STACK_FILES_DEBUGINFOD_H

#include "defs.h"

struct debuginfod;
/*
 * Starts nothing yet. debuginfod_destroy() frees it. Returns NULL in a build without debuginfod,
 * and never otherwise.
 */
struct debuginfod *debuginfod_create(void);
void debuginfod_destroy(struct debuginfod *d); /* NULL is fine */
/*
 * Opens the cached debug file of a build id, in hexadecimal. Returns a descriptor, which the caller
 * closes, or -1 if it is not there; then fetching it will begin.
 */
int debuginfod_open(struct debuginfod *d, const char *build_id);

#endif
