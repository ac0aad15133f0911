/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A value in words: how an expression reads, for sinks that have structures for everything
 * else. It is the text sink's default style, without its colours and options.
 */
#ifndef TRACER_EVENT_WORDS_H
#define TRACER_EVENT_WORDS_H

#include "event/value.h"
#include "util/strbuf.h"

void value_words(struct strbuf *b, const struct value *v);

#endif
