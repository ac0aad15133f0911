/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_SINKS_TEXT_TEXT_DUMP_H
#define TRACER_SINKS_TEXT_TEXT_DUMP_H

struct dump;
struct stack;
struct strbuf;
struct text_style;
struct unwinder;

/*
 * Appends a dump. For -e read= and -e write=, it consists of lines " | 00010 68 65 … he… |" with
 * sixteen bytes each, or is the heading of a vector, " = 2 buffers in vector 0". For -e kvm=vcpu+,
 * it is a line " VCPU:0< {…}".
 */
void text_dump(struct strbuf *b, const struct text_style *style, const struct dump *d);
/* Appends a stack that is part of the event's line: " @ leaf;caller;…;main". */
void text_stack_line(struct strbuf *b, struct unwinder *unwinder, struct stack *stack);

#endif
