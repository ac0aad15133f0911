/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Leaves descriptors open, closes one twice, and has a child that inherits some. */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Changed after each call, so that the call is not the last instruction of its function. */
static volatile int sink;

static __attribute__((noinline)) void leak(void)
{
	open("/dev/null", O_RDONLY);
	sink++;
}

static __attribute__((noinline)) int closed_later(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	sink++;
	return fd;
}

static __attribute__((noinline)) void close_it(int fd)
{
	close(fd);
	sink += 2;
}

static __attribute__((noinline)) void close_again(int fd)
{
	close(fd);
	sink += 3;
}

int main(int argc, char **argv)
{
	int fd, ends[2], status;

	if (argc > 1) /* in the child, after execve */
		return 0;
	for (volatile int i = 0; i < 3; i++)
		leak();
	fd = closed_later();
	close_it(fd);
	close_again(fd);
	if (pipe2(ends, O_CLOEXEC))
		return 1;
	close(ends[0]);
	/* dup2() closes ends[1] and reuses its descriptor number. */
	dup2(STDERR_FILENO, ends[1]);
	close(ends[1]);
	/* The child's execve() closes both descriptors of /dev/full, but not /dev/random. */
	open("/dev/full", O_RDONLY | O_CLOEXEC);
	if (!fork()) {
		open("/dev/full", O_RDONLY | O_CLOEXEC);
		open("/dev/random", O_RDONLY);
		execl(argv[0], argv[0], "again", NULL);
		_exit(1);
	}
	wait(&status);
	return 0;
}
