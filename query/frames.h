/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Matches stacks with regular expressions. */
#ifndef TRACER_QUERY_FRAMES_H
#define TRACER_QUERY_FRAMES_H

#include <regex.h>

#include "defs.h"

struct stack;
struct unwinder;

/*
 * Returns true if a frame of the stack matches. The text of a frame is "FILE(FUNCTION", without a
 * closing parenthesis. Returns false if the stack is NULL.
 */
bool frames_match(const regex_t *regex, struct unwinder *unwinder, struct stack *stack);

#endif
