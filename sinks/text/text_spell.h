/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes addresses and devices as C function calls, as strace does. */
#ifndef TRACER_SINKS_TEXT_TEXT_SPELL_H
#define TRACER_SINKS_TEXT_TEXT_SPELL_H

#include "event/value.h"

/* Storage for the result of text_spell(). */
struct text_spelled {
	struct value whole, raw, part[3];
	char text[VALUE_ADDRESS_TEXT], member[64];
};

/*
 * Returns a VALUE_ADDRESS as inet_addr("1.2.3.4") or inet_pton(AF_INET6, "::1"), a hardware address
 * as plain text, with its bytes for -X raw, and a VALUE_DEVICE as makedev(0x8, 0x1). The result is
 * stored in room. It is valid as long as room and v are.
 */
const struct value *text_spell(struct text_spelled *room, const struct value *v);

#endif
