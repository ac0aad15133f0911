/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests -yy with deleted files, processes that have exited, and descriptors of other processes. */
#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#define SHOW(fd) syscall(SYS_fcntl, fd, F_GETFD)

/* Moves a descriptor to a fixed number that does not depend on other open descriptors. */
static int at(int fd, int number)
{
	if (fd < 0 || dup2(fd, number) < 0)
		_exit(1);
	close(fd);
	return number;
}

static int file(const char *name, int number)
{
	return at(open(name, O_RDWR | O_CREAT, 0600), number);
}

static void link_to(const char *target, const char *name)
{
	if (symlink(target, name))
		_exit(1);
}

/*
 * Opens all files before the first logged syscall. The log therefore contains only the syscalls
 * that use them.
 */
int main(void)
{
	int gone = file("gone", 41), again = file("again", 42);
	int named = file("named (deleted)", 43), linked = file("linked (deleted)", 44);
	int device = file("device", 45);
	int ends[2], of_dead, of_child;
	pid_t child, dead;
	char byte;

	unlink("gone");
	unlink("again");
	close(file("again", 46));
	link("linked (deleted)", "still");
	unlink("linked (deleted)");
	link_to("still", "linked (deleted) (deleted)");
	unlink("device");
	link_to("/dev/null", "device");
	dead = fork();
	if (!dead)
		_exit(0);
	of_dead = at(syscall(SYS_pidfd_open, dead, 0), 47);
	if (waitpid(dead, NULL, 0) < 0 || pipe(ends))
		return 1;
	child = fork();
	if (!child) {
		dup2(gone, 50);
		dup2(named, 51);
		while (write(ends[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	of_child = at(syscall(SYS_pidfd_open, child, 0), 48);
	trace_from_here();
	SHOW(gone);
	SHOW(again);
	SHOW(named);
	SHOW(linked);
	SHOW(device);
	syscall(SYS_pidfd_getfd, of_dead, 50, 0);
	syscall(SYS_pidfd_getfd, of_child, 50, 0);
	syscall(SYS_pidfd_getfd, of_child, 52, 0);
	syscall(SYS_pidfd_getfd, gone, 50, 0);
	syscall(SYS_kcmp, child, getpid(), KCMP_FILE, 50, gone);
	syscall(SYS_kcmp, child, 0, KCMP_FILE, 50, gone);
	syscall(SYS_kcmp, getpid(), child, KCMP_EPOLL_TFD, gone,
		&(struct kcmp_epoll_slot){.efd = 50, .tfd = 51});
	kill(child, SIGKILL);
	_exit(0);
}
