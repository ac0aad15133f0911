/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Debug files from debuginfod servers, see debuginfod-find(1). A file that is not in the client's
 * cache is fetched by a separate process, for which nobody waits: no tracee is delayed by the
 * network, and the next run finds the file. Servers are asked only if $DEBUGINFOD_URLS is set.
 */
#ifndef TRACER_STACK_DEBUGINFOD_H
#define TRACER_STACK_DEBUGINFOD_H

#include "defs.h"

/*
 * Opens the cached debug file of a build id. Returns a descriptor, which the caller closes, or -1
 * if it is not there; then fetching it has begun.
 */
int debuginfod_open(const char *build_id);

#endif
