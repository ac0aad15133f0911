/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors, ids and a pid namespace of its own; run in one, with the /proc of another. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int fd = open("/dev/null", O_RDONLY);
	pid_t child;

	fchdir(fd);
	syscall(SYS_getpid);
	unshare(CLONE_NEWPID);
	child = fork();
	if (!child) {
		syscall(SYS_getpid);
		setsid();
		getpgrp();
		kill(getpid(), 0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	close(fd);
	return 0;
}
