/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stacks of a trace that were recorded raw (--record-stacks=raw), walked by the files of this
 * machine, in the order of the stops that they belong to.
 */
#ifndef TRACER_SESSION_RAW_WALKS_H
#define TRACER_SESSION_RAW_WALKS_H

#include "unwind.h"

struct raw_walks;
/*
 * Reads a trace file from its start. sysroot is the folder that files are looked for in, or NULL;
 * both are borrowed. Returns NULL after a message if that is not possible.
 */
struct raw_walks *raw_walks_open(const char *path, const char *sysroot,
				 const struct unwind_config *config);
/* NULL is fine. */
void raw_walks_close(struct raw_walks *w);

/* The unwinder that names the frames, owned by w. */
struct unwinder *raw_walks_unwinder(const struct raw_walks *w);
/*
 * The stack of the stop whose record is the number-th of all records of stops that the file has,
 * counted from 1. Numbers rise from call to call. NULL: there is no such stop. Borrowed until the
 * next call.
 */
struct stack *raw_walks_at(struct raw_walks *w, uint64_t number);

#endif
