/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strings, flags, structures and descriptors, for tests of the options that change their format. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	static const char text[] =
		"quote \" back \\ tab\t bell\a null\0001 \377 and then some more of it";
	struct iovec iov[2] = {{(void *)text, 5}, {(void *)(text + 7), 3}};
	int fd;

	trace_from_here();
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (write(fd, text, sizeof(text)) < 0 || writev(fd, iov, 2) < 0)
		return 1;
	syscall(SYS_lseek, fd, -5, SEEK_END);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_GETFL);
	ftruncate(fd, 10);
	mmap((void *)0x10000000, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	mprotect((void *)0x10000000, 4096, PROT_NONE);
	access("/no/such", R_OK | W_OK);
	syscall(SYS_mkdirat, AT_FDCWD, "folder", 01777);
	syscall(SYS_open, "file", 0x40000000 | O_WRONLY, 0);
	chmod("file", 04755);
	umask(022);
	close(fd);
	close(fd);
	return 0;
}
