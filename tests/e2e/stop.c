/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stopped by a signal and continued by another: a group-stop, as untraced. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		trace_from_here();
		raise(SIGSTOP);
		usleep(100000); /* or its end hides from the parent that it went on */
		_exit(3);
	}
	trace_from_here();
	waitpid(child, &status, WUNTRACED);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
		return 1;
	kill(child, SIGCONT);
	/* It may have exited before we look. */
	waitpid(child, &status, WCONTINUED);
	if (WIFCONTINUED(status))
		waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}
