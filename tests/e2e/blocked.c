/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints "ready" and then blocks for at least 1000 seconds in the syscall that the argument
 * selects: epoll, sleep, poll or pipe.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

/*
 * Calls poll(2). On x86-64, tracer reads the number of a resumed call from the instruction before
 * it. In glibc 2.41 and newer, all calls that block share the same instructions, which do not
 * contain a number.
 */
static long wait_for_input(struct pollfd *fd, int timeout)
{
#ifdef __x86_64__
	long ret;

	__asm__ volatile("mov $7, %%eax\n\tsyscall"
			 : "=&a"(ret)
			 : "D"(fd), "S"(1L), "d"((long)timeout)
			 : "rcx", "r11", "memory");
	return ret;
#else
	return poll(fd, 1, timeout);
#endif
}

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
		return (int)wait_for_input(&fd, 1000000);
	return (int)read(ends[0], c, sizeof(c));
}
