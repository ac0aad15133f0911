/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints "ready" and then blocks forever in the syscall that the argument selects: epoll, sleep,
 * poll or pipe.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct epoll_event events[8];
	struct pollfd fd = {0};
	char c[16];
	int ends[2];

	if (pipe(ends))
		return 1;
	puts("ready");
	fflush(stdout);
	if (!strcmp(what, "epoll"))
		return epoll_wait(epoll_create1(0), events, 8, -1);
	if (!strcmp(what, "sleep"))
		return clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){1000, 5}, NULL);
	fd = (struct pollfd){.fd = ends[0], .events = POLLIN};
	if (!strcmp(what, "poll"))
		return poll(&fd, 1, 1000000);
	return (int)read(ends[0], c, sizeof(c));
}
