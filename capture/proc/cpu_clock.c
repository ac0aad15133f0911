/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/cpu_clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/proc/procfs.h"
#include "capture/proc/thread_state.h"
#include "util/mem.h"

/*
 * The number of files that stay open. Opening and closing a file takes several times as long as
 * reading it.
 */
#define FILES 64

struct cpu_clock {
	const struct procfs *procfs;
	struct {
		pid_t tid; /* 0 if no file is open */
		int fd;
	} files[FILES]; /* indexed by tid % FILES */
};

struct cpu_clock *cpu_clock_create(const struct procfs *procfs)
{
	struct cpu_clock *c;

	/* Without CONFIG_SCHED_INFO, the file contains only zeros. */
	if (!thread_arrivals(procfs, gettid()))
		return NULL;
	c = mem_zalloc(sizeof(*c));
	c->procfs = procfs;
	return c;
}

void cpu_clock_destroy(struct cpu_clock *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < FILES; i++)
		if (c->files[i].tid)
			close(c->files[i].fd);
	free(c);
}

/* Reads the first number in the file. Returns false if the thread to which the file belongs is
 * gone. */
static bool read_number(int fd, uint64_t *us)
{
	char text[64], *end;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	uint64_t v;

	if (n <= 0)
		return false;
	text[n] = '\0';
	v = strtoull(text, &end, 10);
	if (end == text)
		return false;
	*us = v / 1000;
	return true;
}

bool cpu_clock_read(struct cpu_clock *c, pid_t tid, uint64_t *us)
{
	const unsigned i = (unsigned)tid % FILES;
	char path[32];

	if (c->files[i].tid) {
		if (c->files[i].tid == tid && read_number(c->files[i].fd, us))
			return true;
		/* Another thread needs the place, or the thread has ended and tid was reused. */
		close(c->files[i].fd);
		c->files[i].tid = 0;
	}
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)procfs_pid(c->procfs, tid));
	c->files[i].fd = open(path, O_RDONLY | O_CLOEXEC);
	if (c->files[i].fd < 0)
		return false;
	c->files[i].tid = tid;
	return read_number(c->files[i].fd, us);
}
