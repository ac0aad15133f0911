/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prepares the heap before the engine starts. */
#ifndef TRACER_CAPTURE_BPF_HEAP_H
#define TRACER_CAPTURE_BPF_HEAP_H

/*
 * Extends the heap in one step by the memory that loading the programs needs: two copies of the
 * kernel's types in libbpf, the tables, and the read plans. Uses huge pages if the kernel supports
 * them, because page faults for small pages would take a third of the start-up time. Does nothing
 * if the C library is not glibc.
 */
void heap_grow(void);

#endif
