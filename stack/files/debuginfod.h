/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gets debug files from debuginfod servers, see debuginfod-find(1). A separate process fetches the
 * files that are not in the client's cache. Therefore the network does not delay tracees, and the
 * next run finds the files in the cache. The process runs at most four clients at the same time.
 * The process continues after tracer has ended, until it has requested all files. If there are too
 * many requests, some are dropped. Servers are used only if $DEBUGINFOD_URLS is set.
 */
#ifndef TRACER_STACK_FILES_DEBUGINFOD_H
#define TRACER_STACK_FILES_DEBUGINFOD_H

#include "defs.h"

struct debuginfod;
/*
 * Creates the object without starting the process. Free it with debuginfod_destroy(). Returns NULL
 * only in a build without debuginfod.
 */
struct debuginfod *debuginfod_create(void);
void debuginfod_destroy(struct debuginfod *d); /* d may be NULL */
/*
 * Opens the cached debug file with the given build id, which is in hexadecimal. Returns a
 * descriptor, which the caller closes. If the file is not in the cache, requests it and returns -1.
 * If $DEBUGINFOD_URLS is not set, returns -1 without a look at the cache.
 */
int debuginfod_open(struct debuginfod *d, const char *build_id);

#endif
