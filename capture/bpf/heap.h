/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The heap at the start of the engine. */
#ifndef TRACER_CAPTURE_BPF_HEAP_H
#define TRACER_CAPTURE_BPF_HEAP_H

/*
 * Grows the heap at once by the memory that loading the programs takes, if the C library and the
 * kernel can do that: two copies of the kernel's types in libbpf, the tables, and the read plans.
 * It has huge pages, since the page faults of small ones cost a third of all that the start costs.
 */
void heap_grow(void);

#endif
