/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Notes after the result of a call: " = 1 (note)". A call has at most one of them; the last
 * one that a decoder gives counts. Each is a value in the arena of the event.
 */
#ifndef TRACER_DECODE_CORE_NOTE_H
#define TRACER_DECODE_CORE_NOTE_H

#include "event/value.h"
#include "linux/xlat.h"

struct decoder;

/* What the result means, as the styles of -X show it. */
void decode_note(struct decoder *d, struct value *note);
/* The flags that a table knows in a number; without any there is no note. */
void decode_note_flags(struct decoder *d, const struct xlat *x, uint64_t n);
/* A value made of names: all styles show it alike, but -X raw, which leaves it out. */
void decode_note_named(struct decoder *d, struct value *note);

#endif
