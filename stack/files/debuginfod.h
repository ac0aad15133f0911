/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Debug files from debuginfod servers, see debuginfod-find(1). What is not in
 * the client's cache is asked for by a process of its own, which nobody waits
 * for: no tracee stands still for the network, and the names are there for the
 * next run. Nothing is asked unless $DEBUGINFOD_URLS is set.
 */
#ifndef TRACER_STACK_DEBUGINFOD_H
#define TRACER_STACK_DEBUGINFOD_H

#include "defs.h"

/* The cached debug file of a build id: a descriptor, the caller's; -1: not there, and asked for. */
int debuginfod_open(const char *build_id);

#endif
