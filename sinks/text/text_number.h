/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes numbers. */
#ifndef TRACER_SINKS_TEXT_TEXT_NUMBER_H
#define TRACER_SINKS_TEXT_TEXT_NUMBER_H

#include "event/value.h"
#include "util/strbuf.h"

/* Write a number in octal or hexadecimal. */
void text_octal(struct strbuf *b, const struct value *v);
void text_hex(struct strbuf *b, const struct value *v);
/* Writes a constant as a number. */
void text_raw(struct strbuf *b, const struct value *v);
/* Returns true if a constant is written in decimal. Such constants have no "???" after them. */
bool text_is_decimal(const struct value *v);

#endif
