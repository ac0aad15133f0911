/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes stacks as text, with colours and short paths for terminals. */
#ifndef TRACER_SINKS_TEXT_TEXT_FRAMES_H
#define TRACER_SINKS_TEXT_TEXT_FRAMES_H

#include "sinks/text/text_value.h"

struct unwinder;

/*
 * Appends the lines of stack_text(). If the style has colours, the frames of the program are bold,
 * and the frames of libc and of runtimes are dim. With `short_paths` in the style's configuration,
 * only the end of each path is written.
 */
void text_stack(struct strbuf *b, const struct text_style *style, struct unwinder *unwinder,
		struct stack *stack);

/*
 * Appends the innermost frame of a stack that belongs to the program itself: " at FILE:LINE" if the
 * line is known, otherwise " at FUNCTION". Appends nothing if there is no such frame.
 */
void text_place(struct strbuf *b, struct unwinder *unwinder, struct stack *stack);

#endif
