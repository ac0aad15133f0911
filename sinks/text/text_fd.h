/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the descriptor details for -yy as text. */
#ifndef TRACER_SINKS_TEXT_TEXT_FD_H
#define TRACER_SINKS_TEXT_TEXT_FD_H

#include "event/value.h"
#include "util/escape.h"
#include "util/strbuf.h"

/*
 * Appends a VALUE_SOCKET: TCP:[1.2.3.4:5->6.7.8.9:10], NETLINK:[ROUTE:1], UNIX:[12->13,"x"]. `hex`
 * selects how the path is escaped.
 */
void text_socket(struct strbuf *b, const struct value *v, enum hex_strings hex);
/* Appends a VALUE_DEVICE_FILE, such as "char 1:3" or "char 5:2 @/dev/pts/0". */
void text_device_file(struct strbuf *b, const struct value *v);

#endif
