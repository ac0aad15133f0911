/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Without -f, a child is traced only because of CLONE_PTRACE. */
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status;
	pid_t child = syscall(SYS_clone, CLONE_PTRACE | SIGCHLD, 0, 0, 0, 0);

	if (child == 0)
		_exit(syscall(SYS_getppid) == 0);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}
