/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts expressions to C notation, such as "21<<MAP_HUGE_SHIFT". JSON has no structure for
 * expressions, and contains this text instead.
 */
#ifndef TRACER_EVENT_WORDS_H
#define TRACER_EVENT_WORDS_H

#include "event/value.h"
#include "util/strbuf.h"

/*
 * Appends a term to b: a number, a constant, a call, a string, or an expression that consists of
 * these.
 */
void value_words(struct strbuf *b, const struct value *v);

#endif
