/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out whether pages of another process are in RAM, so that a read of them does not wait. */
#ifndef TRACER_CAPTURE_PROC_PAGE_LIST_H
#define TRACER_CAPTURE_PROC_PAGE_LIST_H

#include <sys/types.h>

#include "defs.h"

#define PAGE_LIST_MAX 128

/* A list of pages. The caller sets n to 0 before it adds the first range. */
struct page_list {
	size_t n;
	void *pages[PAGE_LIST_MAX]; /* an address in each page */
};

/*
 * Adds the pages of the range of n bytes at addr. Returns false, and adds nothing, if the range is
 * empty, wraps around the end of the address space, or has more pages than fit into the list.
 */
bool page_list_add(struct page_list *l, uint64_t addr, size_t n);
/*
 * Returns true if reads of the pages in the memory of thread tid do not wait. Some of the pages may
 * be unreadable. Also returns false if it is unknown whether reads wait.
 */
bool page_list_is_present(struct page_list *l, pid_t tid);

#endif
