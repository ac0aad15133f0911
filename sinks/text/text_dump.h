/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_SINKS_TEXT_TEXT_DUMP_H
#define TRACER_SINKS_TEXT_TEXT_DUMP_H

struct dump;
struct strbuf;
struct text_style;

/* Appends a dump of -e read= or -e write=: lines " | 00010  68 65 …  he…  |" with sixteen bytes
 * each; or of -e kvm=vcpu+: a line " VCPU:0< {…}". */
void text_dump(struct strbuf *b, const struct text_style *style, const struct dump *d);

#endif
