/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Children created by fork and clone3: how they end, and which status their parent gets. */
#include <linux/sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

/*
 * Makes the fork syscall directly, because libc's fork() may make further syscalls to block
 * signals.
 */
static pid_t fork_plainly(pid_t *tid)
{
	const long flags = CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD;

#ifdef __x86_64__
	return syscall(SYS_clone, flags, NULL, NULL, tid, 0L);
#else
	return syscall(SYS_clone, flags, NULL, NULL, 0L, tid);
#endif
}

int main(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	struct rlimit no_core = {0, 0};
	int status;
	pid_t child, tid;

	trace_from_here();
	child = fork_plainly(&tid);
	if (child == 0)
		_exit(42);
	waitpid(child, &status, 0);

	child = syscall(SYS_clone3, &args, sizeof(args));
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		/*
		 * Get both ids first, because the evaluation order of arguments depends on the
		 * compiler.
		 */
		tid = syscall(SYS_gettid);
		child = syscall(SYS_getpid);
		syscall(SYS_tgkill, child, tid, SIGABRT);
	}
	waitpid(child, &status, 0);
	return WTERMSIG(status);
}
