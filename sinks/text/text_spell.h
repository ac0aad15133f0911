/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Addresses and devices as the calls of C that make them, which is how strace writes them. */
#ifndef TRACER_SINKS_TEXT_TEXT_SPELL_H
#define TRACER_SINKS_TEXT_TEXT_SPELL_H

#include "event/value.h"

/* Room for what text_spell() makes. */
struct text_spelled {
	struct value whole, raw, part[3];
	char text[VALUE_ADDRESS_TEXT], member[64];
};

/*
 * A VALUE_ADDRESS as inet_addr("1.2.3.4") or inet_pton(AF_INET6, "::1"), one of hardware as a plain
 * text, with its bytes for -X raw; a VALUE_DEVICE as makedev(0x8, 0x1). The result is in room, and
 * valid as long as room and v are.
 */
const struct value *text_spell(struct text_spelled *room, const struct value *v);

#endif
