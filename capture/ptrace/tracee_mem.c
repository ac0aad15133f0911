/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_mem.h"

/* Pages are at least this large everywhere: memory can end only at its multiples. */
#define PAGE	  4096ul
#define IOV_BATCH 64

static struct {
	tracee_mem_reader *reader;
	void *ctx;
} fake;

/* process_vm_readv() is missing altogether (an old seccomp sandbox, a kernel without it). */
static bool vm_missing;

static bool vm_refused(const struct tcb *tcb, int err)
{
	if (err == ENOSYS)
		vm_missing = true;
	else if (err == EPERM)
		((struct tcb *)tcb)->flags |= TCB_PEEK;
	else
		return false;
	return true;
}

static bool use_peek(const struct tcb *tcb)
{
	return vm_missing || (tcb->flags & TCB_PEEK);
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

/* The remote side cut at page boundaries: what precedes an unreadable page is still read. */
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

ssize_t tracee_read_some(const struct tcb *tcb, uint64_t addr, void *buf, size_t n)
{
	ssize_t r;

	if (!n)
		return 0;
	if (unlikely(fake.reader != NULL))
		return fake.reader(fake.ctx, addr, buf, n);
	/* No address space ends beyond the highest address. */
	if (n - 1 > UINT64_MAX - addr)
		n = UINT64_MAX - addr + 1;
	if (unlikely(use_peek(tcb)))
		return peek_some(tcb, addr, buf, n);
	r = vm_some(tcb, addr, buf, n);
	if (unlikely(r < 0) && vm_refused(tcb, (int)-r))
		return peek_some(tcb, addr, buf, n);
	return r ? r : -EFAULT;
}

int tracee_read(const struct tcb *tcb, uint64_t addr, void *buf, size_t n)
{
	ssize_t r;

	if (likely(!fake.reader && !use_peek(tcb) && n)) {
		struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};

		r = process_vm_readv(tcb->tid, &local, 1, &remote, 1, 0);
		if (likely(r == (ssize_t)n))
			return 0;
		if (r >= 0)
			return -EFAULT;
		if (!vm_refused(tcb, errno))
			return -errno;
	}
	r = tracee_read_some(tcb, addr, buf, n);
	return r == (ssize_t)n ? 0 : r < 0 ? (int)r : -EFAULT;
}

ssize_t tracee_read_string(const struct tcb *tcb, uint64_t addr, char *buf, size_t n)
{
	/* Most strings are short: the first read stops at a page's end, or soon. */
	size_t chunk = 256, got = 0;

	while (got < n) {
		size_t len = size_min(chunk, n - got);
		size_t page_left = PAGE - (addr + got) % PAGE;
		ssize_t r;
		char *nul;

		/* One page at a time, so that the string's end is not hidden by an unreadable page.
		 */
		len = size_min(len, page_left);
		r = tracee_read_some(tcb, addr + got, buf + got, len);
		if (r <= 0)
			return r ? r : -EFAULT;
		nul = memchr(buf + got, '\0', (size_t)r);
		if (nul)
			return nul - buf;
		got += (size_t)r;
		if ((size_t)r < len)
			return -EFAULT;
		chunk = PAGE;
	}
	return (ssize_t)n;
}

int tracee_write(const struct tcb *tcb, uint64_t addr, const void *buf, size_t n)
{
	const char *from = buf;

	if (fake.reader)
		return -EFAULT;
	if (!use_peek(tcb)) {
		struct iovec local = {(void *)buf, n}, remote = {(void *)(uintptr_t)addr, n};

		if (process_vm_writev(tcb->tid, &local, 1, &remote, 1, 0) == (ssize_t)n)
			return 0;
	}
	/* PTRACE_POKEDATA also writes where the tracee itself may not. */
	while (n) {
		uint64_t at = addr & ~(uint64_t)(sizeof(long) - 1);
		size_t skip = addr - at, len = size_min(sizeof(long) - skip, n);
		unsigned long word = 0;
		int err = 0;

		if (len < sizeof(long))
			err = tracee_peek(tcb, at, &word);
		memcpy((char *)&word + skip, from, len);
		if (!err)
			err = tracee_poke(tcb, at, word);
		if (err)
			return err == -EIO ? -EFAULT : err;
		from += len;
		addr += len;
		n -= len;
	}
	return 0;
}

void tracee_read_batch(const struct tcb *tcb, struct tracee_read_op *ops, size_t count)
{
	struct iovec local[IOV_BATCH], remote[IOV_BATCH];
	size_t i = 0;

	while (i < count && !fake.reader && !use_peek(tcb)) {
		size_t n = size_min(count - i, IOV_BATCH), left;
		ssize_t r;

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
		/* Whatever came whole is done; the first that did not is read for itself. */
		for (left = r < 0 ? 0 : (size_t)r; n && left >= ops[i].n; n--, i++) {
			ops[i].got = (ssize_t)ops[i].n;
			left -= ops[i].n;
		}
		if (n) {
			ops[i].got = tracee_read_some(tcb, ops[i].addr, ops[i].buf, ops[i].n);
			i++;
		}
	}
	for (; i < count; i++)
		ops[i].got = tracee_read_some(tcb, ops[i].addr, ops[i].buf, ops[i].n);
}

void tracee_mem_fake(tracee_mem_reader *reader, void *ctx)
{
	fake.reader = reader;
	fake.ctx = ctx;
}
