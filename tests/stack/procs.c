/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* New processes of all kinds, and an execve by a thread that is not the leader. */
#include "truth.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

static char *self;
extern char **environ;

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static NOINLINE void by_fork(void)
{
	TRUTH;
	pid_t pid = fork();

	if (!pid) {
		leaf();
		execl(self, self, "leaf", NULL);
		abort();
	}
	leaf();
	waitpid(pid, NULL, 0);
}

static NOINLINE void by_vfork(void)
{
	TRUTH;
	pid_t pid = vfork();

	if (!pid) {
		check();
		execl(self, self, "leaf", NULL);
		_exit(1);
	}
	leaf();
	waitpid(pid, NULL, 0);
}

static NOINLINE void by_spawn(void)
{
	TRUTH;
	char *argv[] = {self, "leaf", NULL};
	pid_t pid;

	posix_spawn(&pid, self, NULL, NULL, argv, environ);
	leaf();
	waitpid(pid, NULL, 0);
}

static int cloned(void *arg)
{
	truth_depth = 0;
	TRUTH;
	(void)arg;
	leaf();
	return 0;
}

/*
 * With CLONE_VM, the child is a process that shares the memory of its parent. The parent waits for
 * the child, because both use the same list of names.
 */
static NOINLINE void by_clone(int flags)
{
	TRUTH;
	int depth = truth_depth;
	char *stack = malloc(1 << 18);
	pid_t pid = clone(cloned, stack + (1 << 18) - 64, flags | SIGCHLD, NULL);

	waitpid(pid, NULL, 0);
	truth_depth = depth;
	truth_names[depth - 1] = __func__;
	truth_names[0] = "main";
	leaf();
}

static void *exec_thread(void *arg)
{
	TRUTH;
	(void)arg;
	leaf();
	execl(self, self, "leaf", NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	TRUTH;
	pthread_t t;

	self = argv[0];
	if (argc > 1) {
		leaf();
		return 0;
	}
	by_fork();
	by_vfork();
	by_spawn();
	by_clone(0);
	by_clone(CLONE_VM);
	by_clone(CLONE_VM | CLONE_VFORK);
	pthread_create(&t, NULL, exec_thread, NULL);
	pthread_join(t, NULL);
	abort();
}
