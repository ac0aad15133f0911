/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "defs.h"

#define SIZE	  (24 << 20)
#define MAPPED	  (32 << 20) /* maximum value of M_MMAP_THRESHOLD, see mallopt(3) */
#define HUGE_PAGE ((uintptr_t)2 << 20)

void heap_grow(void)
{
#ifdef __GLIBC__
	uintptr_t p, begin, end;

	/*
	 * Make malloc() use the heap for allocations of up to MAPPED bytes, and make free() keep
	 * the memory.
	 */
	if (!mallopt(M_MMAP_THRESHOLD, MAPPED) || !mallopt(M_TRIM_THRESHOLD, 2 * MAPPED))
		return;
	p = (uintptr_t)malloc(SIZE);
	begin = align_up(p, HUGE_PAGE);
	end = (p + SIZE) & -HUGE_PAGE;
	if (p)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	free((void *)p);
#endif
}
