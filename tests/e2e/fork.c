/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Children by fork and by clone3, how they end, and what their parent learns. */
#include <linux/sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

int main(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	struct rlimit no_core = {0, 0};
	int status;
	pid_t child;

	trace_from_here();
	child = fork();
	if (child == 0)
		_exit(42);
	waitpid(child, &status, 0);

	child = syscall(SYS_clone3, &args, sizeof(args));
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		raise(SIGABRT);
	}
	waitpid(child, &status, 0);
	return WTERMSIG(status);
}
