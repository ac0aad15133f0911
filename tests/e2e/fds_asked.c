/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Syscalls that use descriptor 50, and syscalls in which the argument 50 is not a descriptor. */
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char control[CMSG_SPACE(sizeof(int))] = {0};
	struct msghdr msg = {.msg_control = control, .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	if (argc < 2 || dup2(open(argv[1], O_RDWR | O_CREAT, 0600), 50) < 0)
		return 1;
	*c = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
	*(int *)CMSG_DATA(c) = 50;
	lseek(50, 1, SEEK_SET);
	unlink(argv[1]);
	lseek(50, 2, SEEK_SET);
	sendmsg(-1, &msg, 0);
	syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getpid(), 0), 50, 0);
	syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, 50, 50);
	_exit(0);
}
