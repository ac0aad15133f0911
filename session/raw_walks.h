/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the raw stacks of a trace (--record-stacks=raw) using this machine's files, in the order in
 * which the stacks were recorded.
 */
#ifndef TRACER_SESSION_RAW_WALKS_H
#define TRACER_SESSION_RAW_WALKS_H

#include "unwind.h"

struct raw_walks;
/*
 * Opens a trace file for reading from its start. `sysroot` is the directory in which files are
 * searched, or NULL. `path` and `sysroot` are borrowed. On failure, prints a message and returns
 * NULL.
 */
struct raw_walks *raw_walks_open(const char *path, const char *sysroot,
				 const struct unwind_config *config);
/* Frees w, which may be NULL. */
void raw_walks_close(struct raw_walks *w);

/* Returns the unwinder that names the frames. w owns the unwinder. */
struct unwinder *raw_walks_unwinder(const struct raw_walks *w);
/*
 * Returns the stack of the stop with this number, or NULL if there is no such stop or if the stop
 * has no thread. The numbers of the stop records in the file start at 1. Each call must pass a
 * higher number than the previous one. The stack is borrowed until the next call.
 */
struct stack *raw_walks_at(struct raw_walks *w, uint64_t number);

#endif
