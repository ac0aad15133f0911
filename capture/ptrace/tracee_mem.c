/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/ptrace/tracee_mem.h"
#include "capture/own_signals.h"
#include "capture/proc/page_list.h"
#include "capture/ptrace/tracee_guard.h"
#include "capture/ptrace/tracee_thread.h"

/*
 * Pages have at least this size in bytes on all machines, so readable memory ends only at multiples
 * of this size.
 */
#define PAGE	  4096ul
#define IOV_BATCH 64

static struct tcb *tcb_of(struct memory *m)
{
	return &container_of(m, struct tracee, live_memory)->tcb;
}

/*
 * `err` is the errno of a failed process_vm_readv() or process_vm_writev(). Returns true if the
 * kernel lacks these calls or does not permit them (for example, in a seccomp sandbox). From then
 * on, PTRACE_PEEKDATA and PTRACE_POKEDATA are used for the thread.
 */
static bool vm_refused(struct tcb *tcb, int err)
{
	if (err != EPERM && err != ENOSYS)
		return false;
	tcb->flags |= TCB_PEEK;
	return true;
}

static ssize_t peek_some(const struct tcb *tcb, uint64_t addr, char *buf, size_t n)
{
	size_t got = 0;

	while (got < n) {
		uint64_t at = (addr + got) & ~(uint64_t)(sizeof(long) - 1);
		size_t skip = addr + got - at;
		size_t len = size_min(sizeof(long) - skip, n - got);
		unsigned long word;
		int err = tracee_peek(tcb, at, &word);

		if (err)
			return got ? (ssize_t)got : err == -EIO ? -EFAULT : err;
		memcpy(buf + got, (char *)&word + skip, len);
		got += len;
	}
	return (ssize_t)got;
}

/*
 * Reads memory with process_vm_readv(). The remote range is passed page by page, so that all pages
 * before an unreadable page are read.
 */
static ssize_t vm_some(const struct tcb *tcb, uint64_t addr, void *buf, size_t n)
{
	size_t got = 0;

	while (got < n) {
		struct iovec remote[IOV_BATCH];
		struct iovec local = {(char *)buf + got, 0};
		size_t count = 0;
		ssize_t r;

		for (; count < IOV_BATCH && got + local.iov_len < n; count++) {
			uint64_t at = addr + got + local.iov_len;
			size_t len = size_min(PAGE - at % PAGE, n - got - local.iov_len);

			remote[count].iov_base = (void *)(uintptr_t)at;
			remote[count].iov_len = len;
			local.iov_len += len;
		}
		r = process_vm_readv(tcb->tid, &local, 1, remote, count, 0);
		if (r < 0)
			return got ? (ssize_t)got : -errno;
		got += (size_t)r;
		if ((size_t)r < local.iov_len)
			break;
	}
	return (ssize_t)got;
}

static struct guard *guard_of(const struct tcb *tcb)
{
	return tracee_of(tcb)->guard;
}

/*
 * Like vm_some(), but a helper process (capture/proc/late_reader.h) reads pages to which accesses
 * may block. peek_some() does not need the helper process, because PTRACE_PEEKDATA does not wait
 * for a userfaultfd.
 */
static ssize_t guarded_some(struct tcb *tcb, uint64_t addr, char *buf, size_t n)
{
	struct guard *guard = guard_of(tcb);
	size_t got = 0;

	while (got < n) {
		size_t here = guard_present(guard, tcb->tid, addr + got, n - got);
		size_t want = here ? here : PAGE - (addr + got) % PAGE;
		ssize_t r;

		want = size_min(want, n - got);
		r = here ? vm_some(tcb, addr + got, buf + got, want)
			 : guard_read(guard, tcb->tid, addr + got, buf + got, want);
		if (r <= 0)
			return got ? (ssize_t)got : r;
		got += (size_t)r;
		if ((size_t)r < want)
			break;
	}
	return (ssize_t)got;
}

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct tcb *tcb = tcb_of(m);
	ssize_t r;

	/* If the range extends beyond the highest address, truncate it there. */
	if (n - 1 > UINT64_MAX - addr)
		n = UINT64_MAX - addr + 1;
	if (unlikely(tcb->flags & TCB_PEEK))
		return peek_some(tcb, addr, buf, n);
	r = unlikely(guard_of(tcb)->on) ? guarded_some(tcb, addr, buf, n)
					: vm_some(tcb, addr, buf, n);
	if (unlikely(r < 0) && vm_refused(tcb, (int)-r))
		return peek_some(tcb, addr, buf, n);
	return r ? r : -EFAULT;
}

static int read_exactly(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct tcb *tcb = tcb_of(m);
	ssize_t r;

	if (likely(!(tcb->flags & TCB_PEEK) && !guard_of(tcb)->on)) {
		struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};

		r = process_vm_readv(tcb->tid, &local, 1, &remote, 1, 0);
		if (likely(r == (ssize_t)n))
			return 0;
		if (r >= 0)
			return -EFAULT;
		if (!vm_refused(tcb, errno))
			return -errno;
	}
	r = read_some(m, addr, buf, n);
	return r == (ssize_t)n ? 0 : r < 0 ? (int)r : -EFAULT;
}

/*
 * Returns the number of ops at the start of the array that a single process_vm_readv(2) can read
 * without blocking. 0 means that a read of the first op may block.
 */
static size_t unblocked_ops(struct tcb *tcb, const struct memory_op *ops, size_t count)
{
	struct page_list pages;
	size_t n = 0;

	count = size_min(count, IOV_BATCH);
	if (likely(!guard_of(tcb)->on))
		return count;
	pages.n = 0;
	while (n < count && page_list_add(&pages, ops[n].addr, ops[n].n))
		n++;
	return n && guard_pages_present(guard_of(tcb), tcb->tid, &pages) ? n : 0;
}

static void read_batch(struct memory *m, struct memory_op *ops, size_t count)
{
	struct iovec local[IOV_BATCH], remote[IOV_BATCH];
	struct tcb *tcb = tcb_of(m);
	size_t i = 0;

	while (i < count && !(tcb->flags & TCB_PEEK)) {
		size_t n = unblocked_ops(tcb, ops + i, count - i), left;
		ssize_t r;

		if (!n)
			break;

		for (size_t k = 0; k < n; k++) {
			local[k] = (struct iovec){ops[i + k].buf, ops[i + k].n};
			remote[k] =
				(struct iovec){(void *)(uintptr_t)ops[i + k].addr, ops[i + k].n};
		}
		r = process_vm_readv(tcb->tid, local, n, remote, n, 0);
		if (r < 0 && errno != EFAULT) {
			int err = errno;

			if (vm_refused(tcb, err))
				break;
			for (; i < count; i++)
				ops[i].got = -err;
			return;
		}
		/*
		 * All ops that were read completely are done. An op that was read only in part is
		 * read again separately. If no byte of an op was read, the op's first byte cannot
		 * be read.
		 */
		for (left = r < 0 ? 0 : (size_t)r; n && left >= ops[i].n; n--, i++) {
			ops[i].got = (ssize_t)ops[i].n;
			left -= ops[i].n;
		}
		if (n) {
			ops[i].got = left ? memory_read_some(m, ops[i].addr, ops[i].buf, ops[i].n)
					  : -EFAULT;
			i++;
		}
	}
	for (; i < count; i++)
		ops[i].got = memory_read_some(m, ops[i].addr, ops[i].buf, ops[i].n);
}

static bool is_urgent(const struct memory *m attr_unused)
{
	return own_signals_ending();
}

const struct memory_ops tracee_memory_ops = {.read_some = read_some,
					     .read = read_exactly,
					     .read_batch = read_batch,
					     .is_urgent = is_urgent};

ssize_t tracee_write(struct tcb *tcb, uint64_t addr, const void *buf, size_t n)
{
	const char *from = buf;
	size_t done = 0;

	if (!(tcb->flags & TCB_PEEK) && unlikely(guard_of(tcb)->on) &&
	    guard_present(guard_of(tcb), tcb->tid, addr, n) < n) {
		ssize_t r = guard_write(guard_of(tcb), tcb->tid, addr, buf, n);

		if (r > 0 || r == -ETIMEDOUT)
			return r;
	} else if (!(tcb->flags & TCB_PEEK)) {
		struct iovec local = {(void *)buf, n}, remote = {(void *)(uintptr_t)addr, n};
		ssize_t r = process_vm_writev(tcb->tid, &local, 1, &remote, 1, 0);

		if (r > 0)
			return r;
	}
	/* PTRACE_POKEDATA can also write to memory that is read-only for the tracee. */
	while (done < n) {
		uint64_t at = (addr + done) & ~(uint64_t)(sizeof(long) - 1);
		size_t skip = addr + done - at, len = size_min(sizeof(long) - skip, n - done);
		unsigned long word = 0;
		int err = 0;

		if (len < sizeof(long))
			err = tracee_peek(tcb, at, &word);
		memcpy((char *)&word + skip, from + done, len);
		if (!err)
			err = tracee_poke(tcb, at, word);
		if (err)
			return done ? (ssize_t)done : err == -EIO ? -EFAULT : err;
		done += len;
	}
	return (ssize_t)done;
}
