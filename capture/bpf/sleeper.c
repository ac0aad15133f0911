/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/sleeper.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/proc/thread_state.h"

/* Pages have at least this size in bytes on all machines. */
#define PAGE	  4096ul
#define PAGES_MAX 256
#define OPS_MAX	  64

void sleeper_begin(struct sleeper *s)
{
	s->live = s->arrivals;
	s->checked = false;
}

bool sleeper_end(struct sleeper *s)
{
	const bool read = s->live && s->checked;

	s->live = false;
	if (!read || thread_arrivals(s->procfs, s->tid) == s->arrivals)
		return true;
	s->arrivals = 0;
	return false;
}

/*
 * Appends the addresses of the pages of the op's range to pages[], and adds their number to *n.
 * Returns false if the range is empty or has too many pages.
 */
static bool add_pages(const struct memory_op *op, void **pages, size_t *n)
{
	const uint64_t first = op->addr & ~(PAGE - 1), last = op->addr + op->n - 1;

	if (!op->n || last < op->addr || (last - first) / PAGE >= PAGES_MAX - *n)
		return false;
	for (uint64_t at = first; at <= last; at += PAGE)
		pages[(*n)++] = (void *)(uintptr_t)at;
	return true;
}

static bool are_present(pid_t tid, void **pages, size_t n)
{
	int status[PAGES_MAX];

	/* Without target nodes, the call only reports the node of each page; see move_pages(2). */
	if (syscall(SYS_move_pages, tid, n, pages, NULL, status, 0))
		return false;
	for (size_t i = 0; i < n; i++)
		if (status[i] < 0)
			return false;
	return true;
}

/*
 * Reads up to OPS_MAX ranges with one system call. Returns false if some of the ranges cannot be
 * read.
 */
static bool read_together(pid_t tid, struct memory_op *ops, size_t n)
{
	struct iovec local[OPS_MAX], remote[OPS_MAX];
	void *pages[PAGES_MAX];
	size_t npages = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!add_pages(&ops[i], pages, &npages))
			return false;
		local[i] = (struct iovec){ops[i].buf, ops[i].n};
		remote[i] = (struct iovec){(void *)(uintptr_t)ops[i].addr, ops[i].n};
		sum += ops[i].n;
	}
	if (!are_present(tid, pages, npages) ||
	    process_vm_readv(tid, local, n, remote, n, 0) != (ssize_t)sum)
		return false;
	for (size_t i = 0; i < n; i++)
		ops[i].got = (ssize_t)ops[i].n;
	return true;
}

void sleeper_read(struct sleeper *s, struct memory_op *ops, size_t n)
{
	if (s->live && !s->checked) {
		s->checked = true;
		if (thread_arrivals(s->procfs, s->tid) != s->arrivals)
			s->arrivals = s->live = 0;
	}
	for (size_t i = 0, k; i < n; i += k) {
		k = size_min(n - i, OPS_MAX);
		if (s->live && read_together(s->tid, ops + i, k))
			continue;
		for (size_t j = i; j < i + k; j++)
			if (!s->live || k == 1 || !read_together(s->tid, ops + j, 1))
				ops[j].got = -ENODATA;
	}
}
