/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Notes after the result of a call: " = 1 (note)". A call has at most one. If decoders set several,
 * the last one counts. A note is a value in the arena of the event.
 */
#ifndef TRACER_DECODE_CORE_NOTE_H
#define TRACER_DECODE_CORE_NOTE_H

#include "event/value.h"
#include "linux/xlat.h"

struct decoder;

/* Sets a note that states the meaning of the result and follows the style of -X. */
void decode_note(struct decoder *d, struct value *note);
/* Sets a note with the flags of n that have names in table x. Does nothing if none has a name. */
void decode_note_flags(struct decoder *d, const struct xlat *x, uint64_t n);
/* Sets a note made of names. All styles of -X show it alike, except raw, which omits it. */
void decode_note_named(struct decoder *d, struct value *note);

#endif
