/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uses descriptors and ids in a new pid namespace, while /proc shows the outer namespace. */
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif

/* Passes an id to prctl(2), as each kind of id, and to connect(2). All these calls fail. */
static void ids(pid_t me)
{
	const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_pid = me};
	const long high = 1l << 32;

	for (long type = 0; type <= 4; type++)
		syscall(SYS_prctl, PR_SCHED_CORE, 9, me, type + high, 0);
	connect(-1, (const struct sockaddr *)&address, sizeof(address));
}

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
		ids(1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	close(fd);
	return 0;
}
