/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Syscalls whose pointer arguments are invalid, point to too little memory, or have lengths that
 * are too large.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	char *const page =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *const end = page + 4096;
	char *const bad = (char *)8;

	munmap(end, 4096);
	memset(page, 'x', 4096);
	trace_from_here();
	syscall(SYS_open, bad, O_RDONLY);
	syscall(SYS_open, NULL, O_WRONLY | O_CREAT, 0600);
	syscall(SYS_open, end - 5, O_RDONLY);
	syscall(SYS_write, -1, end - 5, 10);
	syscall(SYS_write, -1, page, ~0UL);
	syscall(SYS_read, -1, page, ~0UL);
	syscall(SYS_writev, -1, end - 24, 3);
	syscall(SYS_writev, -1, bad, 1);
	syscall(SYS_readv, -1, page, 1);
	syscall(SYS_nanosleep, end - 8, NULL);
	syscall(SYS_fstat, -1, bad);
	syscall(SYS_poll, end - 12, 3, 0);
	syscall(SYS_poll, bad, ~0U, 0);
	syscall(SYS_execve, bad, bad, bad);
	syscall(SYS_execve, "/no/such", end - 8, NULL);
	syscall(SYS_rt_sigaction, SIGCHLD, bad, NULL, 8);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, end - 4, NULL, 8);
	syscall(SYS_connect, -1, bad, 16);
	syscall(SYS_connect, -1, end - 4, 16);
	syscall(SYS_sendmsg, -1, end - 16, 0);
	syscall(SYS_clone3, bad, 88);
	syscall(SYS_clone3, page, 7);
	syscall(9999, 1, 2, 3, 4, 5, 6L);
	syscall(-1UL, 1, 2, 3, 4, 5, 6L);
	return 0;
}
