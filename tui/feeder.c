/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/feeder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/format/block.h"

/* Time in milliseconds between two checks of the size of the file. */
#define POLL_MS 40

/* Copies a range of the file. Returns false if the reader has gone or the range does not exist. */
static bool copy(int from, int to, uint64_t start, uint64_t end)
{
	char buffer[64 << 10];

	while (start < end) {
		size_t n = size_min(sizeof(buffer), end - start);
		ssize_t got = pread(from, buffer, n, (off_t)start);

		if (got <= 0)
			return false;
		start += (uint64_t)got;
		for (char *p = buffer; got;) {
			ssize_t put = write(to, p, (size_t)got);

			if (put <= 0)
				return false;
			p += put;
			got -= put;
		}
	}
	return true;
}

/*
 * Finds the part of the file from which events at `from` can be read. Sets *head to the end of the
 * blocks that precede all events, and *start to the offset of the part.
 */
static void find_part(const struct block_reader *r, int64_t from, uint64_t *head, uint64_t *start)
{
	uint64_t offset = 0, next;
	struct block_header h;
	int64_t time;

	*head = *start = 0;
	for (; block_header_at(r, offset, &h, &next); offset = next) {
		if (h.kind == BLOCK_META || h.kind == BLOCK_NAMES) {
			if (offset == *head)
				*head = *start = next;
			continue;
		}
		if (__builtin_add_overflow((int64_t)h.first, h.real, &time) || time > from)
			return;
		if (h.kind == BLOCK_STATE)
			*start = offset;
	}
}

static void attr_noreturn feed(const struct live *live, int64_t from, int to)
{
	struct block_reader *r = block_reader_create(live->trace);
	struct pollfd alive = {.fd = live->alive, .events = POLLIN};
	uint64_t head, start;

	find_part(r, from, &head, &start);
	if (head && !copy(live->trace, to, 0, head))
		_exit(1);
	for (bool ended = false;;) {
		const off_t size = lseek(live->trace, 0, SEEK_END);

		if (size > (off_t)start) {
			if (!copy(live->trace, to, start, (uint64_t)size))
				_exit(1);
			start = (uint64_t)size;
			continue;
		}
		if (ended)
			_exit(0);
		ended = poll(&alive, 1, POLL_MS) > 0;
	}
}

pid_t feeder_start(const struct live *live, int64_t from, int *fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGPIPE, SIG_DFL);
		close(ends[0]);
		feed(live, from, ends[1]);
	}
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	else
		*fd = ends[0];
	return pid;
}

void feeder_stop(pid_t feeder)
{
	if (feeder <= 0)
		return;
	kill(feeder, SIGKILL);
	waitpid(feeder, NULL, 0);
}
