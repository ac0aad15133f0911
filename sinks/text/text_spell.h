/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Represents addresses and devices as C function calls, like strace. */
#ifndef TRACER_SINKS_TEXT_TEXT_SPELL_H
#define TRACER_SINKS_TEXT_TEXT_SPELL_H

#include "event/value.h"

/* Storage for the result of text_spell(). */
struct text_spelled {
	struct value whole, raw, part[3];
	char text[VALUE_ADDRESS_TEXT], member[64];
};

/*
 * Converts a VALUE_ADDRESS to inet_addr("1.2.3.4") or inet_pton(AF_INET6, "::1"), and a
 * VALUE_DEVICE to makedev(0x8, 0x1). Converts a hardware address to plain text, which includes its
 * bytes for -X raw. The result is stored in `room`, and is valid as long as `room` and `v` are.
 */
const struct value *text_spell(struct text_spelled *room, const struct value *v);

#endif
