/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/page_list.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Pages have at least this size in bytes on all machines. */
#define PAGE 4096ul

bool page_list_add(struct page_list *l, uint64_t addr, size_t n)
{
	const uint64_t first = addr & ~(PAGE - 1), last = addr + n - 1;

	if (!n || last < addr || (last - first) / PAGE >= PAGE_LIST_MAX - l->n)
		return false;
	for (uint64_t i = 0; i <= (last - first) / PAGE; i++)
		l->pages[l->n++] = (void *)(uintptr_t)(first + i * PAGE);
	return true;
}

bool page_list_is_present(struct page_list *l, pid_t tid)
{
	int status[PAGE_LIST_MAX];

	/*
	 * Without target nodes, move_pages(2) moves no pages and only reports the memory node of
	 * each page.
	 */
	if (syscall(SYS_move_pages, tid, l->n, l->pages, NULL, status, 0))
		return false;
	/*
	 * EFAULT means that no page is mapped at this address, or only the zero page. A read then
	 * does not block.
	 */
	for (size_t i = 0; i < l->n; i++)
		if (status[i] < 0 && status[i] != -EFAULT)
			return false;
	return true;
}
