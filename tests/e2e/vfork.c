/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A vfork child that calls execve, which fails. The parent's vfork does not return until the child
 * exits.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	int status;
	pid_t child;

	trace_from_here();
	child = vfork();
	if (child == 0) {
		execl("/no/such/program", "program", "argument", NULL);
		_exit(7);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}
