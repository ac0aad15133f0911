/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Notes, which are shown after the result of a call: " = 1 (note)". A call has at most one note. If
 * decoders set several, the last one is shown. A note is a value in the event's arena.
 */
#ifndef TRACER_DECODE_CORE_NOTE_H
#define TRACER_DECODE_CORE_NOTE_H

#include "event/value.h"
#include "linux/xlat.h"

struct decoder;

/* Sets a note that explains the result. It is shown in the style that -X selects. */
void decode_note(struct decoder *d, struct value *note);
/*
 * Sets a note that lists the flags in n that have names in the table x. Does nothing if no flag has
 * a name.
 */
void decode_note_flags(struct decoder *d, const struct xlat *x, uint64_t n);
/*
 * Sets a note that consists of names. -X abbrev and -X verbose show it alike, and -X raw omits it.
 */
void decode_note_named(struct decoder *d, struct value *note);

#endif
