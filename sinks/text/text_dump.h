/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_SINKS_TEXT_DUMP_H
#define TRACER_SINKS_TEXT_DUMP_H

struct dump;
struct strbuf;

/* One dump of -e read= and -e write=: " | 00010  68 65 …  he…  |", sixteen bytes a line. */
void text_dump(struct strbuf *b, const struct dump *d);

#endif
