/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/sleeper.h"

#include <sys/uio.h>
#include <unistd.h>

#include "capture/proc/page_list.h"
#include "capture/proc/thread_state.h"

#define OPS_MAX 64

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
 * Reads up to OPS_MAX ranges with one system call. Returns false if some of the ranges cannot be
 * read.
 */
static bool read_together(pid_t tid, struct memory_op *ops, size_t n)
{
	struct iovec local[OPS_MAX], remote[OPS_MAX];
	struct page_list pages;
	size_t sum = 0;

	pages.n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!page_list_add(&pages, ops[i].addr, ops[i].n))
			return false;
		local[i] = (struct iovec){ops[i].buf, ops[i].n};
		remote[i] = (struct iovec){(void *)(uintptr_t)ops[i].addr, ops[i].n};
		sum += ops[i].n;
	}
	if (!page_list_is_present(&pages, tid) ||
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
