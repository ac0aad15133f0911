/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Debug files from debuginfod servers, see debuginfod-find(1). A file that is not in the client's
 * cache is fetched in the background by a separate process. So the network does not delay tracees,
 * and the next run finds the file in the cache. The process runs at most four clients at once. When
 * tracer ends, the process continues until it has requested all files. If there are too many
 * requests, some are dropped. Servers are used only if $DEBUGINFOD_URLS is set.
 */
#ifndef TRACER_STACK_FILES_DEBUGINFOD_H
#define TRACER_STACK_FILES_DEBUGINFOD_H

#include "defs.h"

struct debuginfod;
/*
 * Does not start the process yet. debuginfod_destroy() frees the result. Returns NULL only in a
 * build without debuginfod.
 */
struct debuginfod *debuginfod_create(void);
void debuginfod_destroy(struct debuginfod *d); /* d may be NULL */
/*
 * Opens the cached debug file with a build id, in hexadecimal. Returns a descriptor, which the
 * caller closes, or -1 if it is not in the cache; in that case it is requested.
 */
int debuginfod_open(struct debuginfod *d, const char *build_id);

#endif
