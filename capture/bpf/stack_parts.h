/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader's side of CHUNK_STACK_PART: what was written last of stacks to each buffer. Records of
 * calls write only what is different.
 */
#ifndef TRACER_CAPTURE_BPF_STACK_PARTS_H
#define TRACER_CAPTURE_BPF_STACK_PARTS_H

#include "capture/bpf/records.h"

struct chunks;
struct stack_parts;

struct stack_parts *stack_parts_create(unsigned buffers); /* never NULL */
void stack_parts_destroy(struct stack_parts *p);	  /* NULL is fine */
/*
 * Takes what the chunks of a record of a buffer tell, n bytes of them. To be called for each record
 * of a call, in the order in which they were written to it.
 */
void stack_parts_take(struct stack_parts *p, unsigned buffer, const void *chunks, size_t n);
/*
 * Adds to m the stack that a chunk of the record taken last of that buffer tells of. It is valid
 * until the next one is taken.
 */
void stack_parts_add(const struct stack_parts *p, unsigned buffer, const struct chunk_head *h,
		     struct chunks *m);

#endif
