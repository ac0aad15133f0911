/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One signal stops a process, and another one continues it. The group-stop must work as it does
 * without a tracer.
 */
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
		/*
		 * If the child exited at once, waitpid() in the parent might not notice that it was
		 * continued.
		 */
		usleep(100000);
		_exit(3);
	}
	trace_from_here();
	waitpid(child, &status, WUNTRACED);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
		return 1;
	kill(child, SIGCONT);
	/* The child may have exited before this waitpid(). */
	waitpid(child, &status, WCONTINUED);
	if (WIFCONTINUED(status))
		waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}
