/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks against regular expressions. */
#ifndef TRACER_QUERY_FRAMES_H
#define TRACER_QUERY_FRAMES_H

#include <regex.h>

#include "defs.h"

struct stack;
struct unwinder;

/* Whether a frame of the stack, written as FILE(FUNCTION, matches. If stack is NULL, none does. */
bool frames_match(const regex_t *regex, struct unwinder *unwinder, struct stack *stack);

#endif
