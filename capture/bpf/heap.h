/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prepares the heap before the engine starts. */
#ifndef TRACER_CAPTURE_BPF_HEAP_H
#define TRACER_CAPTURE_BPF_HEAP_H

/*
 * Allocates in one step all heap memory that loading the programs needs: two copies of the kernel's
 * types in libbpf, the tables, and the read plans. Uses huge pages, because page faults for small
 * pages would take a third of the start-up time. Does nothing if the C library or the kernel does
 * not support huge pages.
 */
void heap_grow(void);

#endif
