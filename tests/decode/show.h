/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decodes and prints a syscall as tracer does, but without a process that makes the syscall. */
#ifndef TRACER_TESTS_DECODE_SHOW_H
#define TRACER_TESTS_DECODE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "call.h"

struct shown {
	char *text; /* lines of text output, separated by \n */
	char *json; /* the members of the JSON object from "args" on, except times */
};

/*
 * Decodes the syscall and formats it with the text sink and the JSON sink, using the options of the
 * case. If `planned` is set, decoders see only the memory that the read plan covers
 * (capture/plan.h).
 */
void show(const struct call *c, bool planned, struct shown *shown);
struct sink;

/*
 * Decodes the syscall with all data that queries can use, and passes its entry and exit to a sink.
 */
void show_to(const struct call *c, struct sink *sink);
void shown_release(struct shown *shown);
/* Releases the state that is kept between syscalls. */
void show_end(void);

#endif
