/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/code_cache.h"

#include <stdlib.h>
#include <string.h>

#include "capture/proc/late_reader.h"
#include "util/clock.h"
#include "util/mem.h"

#define PAGE  CODE_CACHE_PAGE
#define PAGES 64

struct code_page {
	pid_t tgid; /* the process id; 0 if the entry is unused */
	uint64_t addr;
	struct timespec until; /* time at which the page must be read again */
	ssize_t got;	       /* number of bytes in the page, or -errno */
	uint8_t bytes[PAGE];
};

void code_cache_init(struct code_cache *c, struct late_reader *late)
{
	*c = (struct code_cache){.late = late};
}

void code_cache_deinit(struct code_cache *c)
{
	free(c->pages);
	c->pages = NULL;
}

/* Reads a page of a process's memory into buf. Returns the number of bytes read, or -errno. */
static ssize_t read_page(struct code_cache *c, pid_t tid, pid_t tgid, uint64_t addr, void *buf)
{
	const ssize_t got = late_reader_read(c->late, tid, addr, buf, PAGE);

	return got == -ESRCH && tid != tgid ? late_reader_read(c->late, tgid, addr, buf, PAGE)
					    : got;
}

/*
 * Returns the page that begins at addr in the memory of a process. If the process still exists, the
 * contents are at most CODE_CACHE_NS old. If the page could not be read, its member `got` is
 * -errno.
 */
static const struct code_page *find(struct code_cache *c, pid_t tid, pid_t tgid, uint64_t addr)
{
	struct code_page *p;
	ssize_t got;

	if (!c->pages)
		c->pages = mem_zalloc(PAGES * sizeof(*c->pages));
	p = &c->pages[(addr / PAGE + (uint64_t)tgid) % PAGES];
	if (p->tgid != tgid || p->addr != addr) {
		*p = (struct code_page){.tgid = tgid, .addr = addr, .got = -ESRCH};
	} else if (timespec_before(clock_after(0), p->until)) {
		return p;
	}
	got = read_page(c, tid, tgid, addr, c->fresh);
	p->until = clock_after(CODE_CACHE_NS);
	/* If the process is gone, keep the contents that were read last. */
	if (got != -ESRCH)
		p->got = got;
	if (got > 0)
		memcpy(p->bytes, c->fresh, (size_t)got);
	return p;
}

ssize_t code_cache_read(struct code_cache *c, pid_t tid, pid_t tgid, uint64_t addr, void *buf,
			size_t n)
{
	size_t done = 0;

	while (done < n) {
		const size_t at = (addr + done) % PAGE;
		const struct code_page *p = find(c, tid, tgid, addr + done - at);
		size_t some;

		if (p->got <= (ssize_t)at)
			return done ? (ssize_t)done : p->got < 0 ? p->got : -EFAULT;
		some = size_min(n - done, (size_t)p->got - at);
		memcpy((uint8_t *)buf + done, p->bytes + at, some);
		done += some;
	}
	return (ssize_t)done;
}
