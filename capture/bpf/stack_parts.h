/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the stack blocks that were written most recently to each buffer (CHUNK_STACK_PART in
 * records.h). The blocks are needed to reconstruct stacks, because the record of a call contains
 * only the blocks that have changed.
 */
#ifndef TRACER_CAPTURE_BPF_STACK_PARTS_H
#define TRACER_CAPTURE_BPF_STACK_PARTS_H

#include "capture/bpf/records.h"

struct chunks;
struct stack_parts;

struct stack_parts *stack_parts_create(unsigned buffers); /* never returns NULL */
void stack_parts_destroy(struct stack_parts *p);	  /* p may be NULL */
/*
 * Updates the kept blocks from a record's chunks, which have n bytes. Must be called for every
 * record of a call, in the order in which the records were written to the buffer.
 */
void stack_parts_update(struct stack_parts *p, unsigned buffer, const void *chunks, size_t n);
/*
 * Adds to m the part of the stack that chunk h describes. The chunk must be from the record that
 * was last passed to stack_parts_update() for this buffer. The data is valid until the next
 * stack_parts_update() for this buffer.
 */
void stack_parts_add(const struct stack_parts *p, unsigned buffer, const struct chunk_head *h,
		     struct chunks *m);

#endif
