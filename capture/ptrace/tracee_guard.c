/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/ptrace/tracee_guard.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/proc/mounts.h"
#include "capture/proc/page_list.h"
#include "capture/ptrace/cpu_follow.h"
#include "linux/arch/abi.h"

/* Pages have at least this size in bytes on all machines. */
#define PAGE	  4096ul
#define PAGES_MAX 64 /* maximum number of pages per check */

void guard_init(struct guard *g, const struct capture_config *config, const struct procfs *procfs,
		struct cpu_follow *follow)
{
	g->on = config->seccomp && !config->want_stacks;
	g->follow = config->follow;
	g->mounts = mounts_create(procfs);
	g->cpu_follow = follow;
	late_reader_init(&g->reader, procfs);
}

void guard_deinit(struct guard *g)
{
	late_reader_deinit(&g->reader);
	mounts_destroy(g->mounts);
}

/*
 * Returns true if a call maps a file whose reads may block, or if the call's arguments are in
 * memory and therefore unknown (old_mmap). A library is mapped in several parts by consecutive
 * calls, but its file is checked only once.
 */
static bool maps_slow_file(struct guard *g, const struct tcb *tcb, const struct abi *abi,
			   pid_t mapper)
{
	const uint64_t *args = tcb->regs.args;
	const int fd = (int)args[4];

	if (abi_takes_block(abi, tcb->regs.nr))
		return true;
	if (args[3] & MAP_ANONYMOUS)
		return false;
	if ((tcb->tid != mapper || fd != g->mapped) && mounts_fd_may_wait(g->mounts, tcb->tid, fd))
		return true;
	g->mapper = tcb->tid;
	g->mapped = fd;
	return false;
}

void guard_on_call(struct guard *g, const struct tcb *tcb)
{
	const struct abi *abi = abi_find(tcb->regs.audit, tcb->regs.nr);
	const pid_t mapper = g->mapper;

	g->mapper = 0;
	switch (abi ? abi_memory_call(abi, tcb->regs.nr) : MEMORY_NONE) {
	case MEMORY_MAPPED:
		g->on = maps_slow_file(g, tcb, abi, mapper);
		break;
	case MEMORY_FAULTS:
		g->on = true;
		break;
	case MEMORY_CONTROL:
		g->on = (uint32_t)tcb->regs.args[1] == USERFAULTFD_NEW;
		break;
	/*
	 * The new process may be untraced and share the tracee's memory. The new process can then
	 * create memory to which accesses block, without the guard seeing the calls. Therefore
	 * switch the guard on.
	 */
	case MEMORY_CLONED:
		g->on = !g->follow && tcb->regs.args[0] & CLONE_VM;
		break;
	case MEMORY_SHARED:
		g->on = !g->follow;
		break;
	case MEMORY_NONE:
		break;
	}
}

void guard_on_execve(struct guard *g, pid_t tid)
{
	if (!g->on)
		g->on = mounts_map_may_wait(g->mounts, tid);
}

void guard_on_attach(struct guard *g, pid_t tid)
{
	if (!g->on)
		g->on = !g->follow || mounts_memory_may_wait(g->mounts, tid);
}

size_t guard_present(struct guard *g, pid_t tid, uint64_t addr, size_t n)
{
	const uint64_t first = addr & ~(PAGE - 1);
	int status[PAGES_MAX];
	void *pages[PAGES_MAX];
	size_t count = 0, i;

	if (g->no_check)
		return 0;
	for (uint64_t at = first; count < PAGES_MAX && at - first < n + (addr - first); at += PAGE)
		pages[count++] = (void *)(uintptr_t)at;
	/*
	 * Without target nodes, move_pages(2) moves no pages and only reports the memory node of
	 * each page.
	 */
	if (syscall(SYS_move_pages, tid, count, pages, NULL, status, 0)) {
		g->no_check = errno != ESRCH;
		return 0;
	}
	/*
	 * EFAULT means that no page is mapped at this address, or only the zero page. A read then
	 * does not block.
	 */
	for (i = 0; i < count && (status[i] >= 0 || status[i] == -EFAULT); i++)
		;
	return i ? size_min(n, i * PAGE - (addr - first)) : 0;
}

bool guard_pages_present(struct guard *g, pid_t tid, struct page_list *pages)
{
	return !g->no_check && page_list_is_present(pages, tid);
}

ssize_t guard_read(struct guard *g, pid_t tid, uint64_t addr, void *buf, size_t n)
{
	/*
	 * First stop following the tracee, so that the helper process does not inherit the CPU
	 * affinity and the policy SCHED_IDLE.
	 */
	cpu_follow_stop(g->cpu_follow);
	return late_reader_read(&g->reader, tid, addr, buf, n);
}

ssize_t guard_write(struct guard *g, pid_t tid, uint64_t addr, const void *buf, size_t n)
{
	cpu_follow_stop(g->cpu_follow);
	return late_reader_write(&g->reader, tid, addr, buf, n);
}
