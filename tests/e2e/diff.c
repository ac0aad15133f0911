/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * With BAD=1, some syscalls have different arguments and results, and SIGUSR1 kills the program.
 * With MORE=1, it makes more syscalls.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
	char buf[100];
	int fd = open("input", O_RDONLY);

	if (read(fd, buf, sizeof(buf)) < 0)
		return 1;
	listen(getenv("BAD") ? 99 : socket(AF_UNIX, SOCK_STREAM, 0), 5);
	lseek(fd, 0, getenv("BAD") ? SEEK_END : SEEK_SET);
	if (getenv("MORE")) {
		for (int i = 0; i < 6; i++)
			close(1000 + i);
		getuid();
		geteuid();
		getgid();
		getegid();
		getppid();
		for (int i = 0; i < 7; i++)
			dup(1000 + i);
	}
	sched_yield();
	if (getenv("BAD"))
		raise(SIGUSR1);
	return 0;
}
