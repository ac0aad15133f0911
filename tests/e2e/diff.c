/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* With BAD=1, some syscalls have different results, and the program has a different exit status. */
#include <fcntl.h>
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
	if (getenv("BAD"))
		raise(SIGUSR1);
	return 0;
}
