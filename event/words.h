/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A value as text, for sinks that have structures of their own for most values but not for
 * expressions. It is the default style of the text sink, without its colours and options.
 */
#ifndef TRACER_EVENT_WORDS_H
#define TRACER_EVENT_WORDS_H

#include "event/value.h"
#include "util/strbuf.h"

/* Appends the text of v to b. */
void value_words(struct strbuf *b, const struct value *v);

#endif
