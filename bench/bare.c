/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tracer that only resumes its tracee at each stop. No tracer that stops its tracees at every
 * syscall with ptrace(2) can be faster, so the time of this program is a lower bound.
 *
 * bare [-1] [-s TRIES] COMMAND [ARGS...]
 *
 * -1 runs the tracer and the tracees on one CPU. -s sets the number of wait4(WNOHANG) calls to try
 * before blocking.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	int tries = 0, opt, result = 0, status;
	pid_t command, tid;
	cpu_set_t one;

	while ((opt = getopt(argc, argv, "+1s:")) > 0) {
		if (opt == '1') {
			CPU_ZERO(&one);
			CPU_SET(sched_getcpu(), &one);
			sched_setaffinity(0, sizeof(one), &one);
		} else {
			tries = atoi(optarg);
		}
	}
	command = fork();
	if (!command) {
		raise(SIGSTOP);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	waitpid(command, &status, WUNTRACED);
	if (ptrace(PTRACE_SEIZE, command, 0L, options)) {
		perror("bare: PTRACE_SEIZE");
		return 1;
	}
	ptrace(PTRACE_INTERRUPT, command, 0L, 0L);
	kill(command, SIGCONT);
	for (;;) {
		long sig, request = PTRACE_SYSCALL;
		int i = 0;

		do
			tid = wait4(-1, &status, __WALL | (i < tries ? WNOHANG : 0), NULL);
		while (!tid && ++i <= tries);
		if (tid < 0) {
			if (errno == EINTR)
				continue;
			return result;
		}
		if (!WIFSTOPPED(status)) {
			if (tid == command)
				result = WIFEXITED(status) ? WEXITSTATUS(status)
							   : 128 + WTERMSIG(status);
			continue;
		}
		sig = WSTOPSIG(status);
		if (status >> 16 || sig == (SIGTRAP | 0x80)) {
			if (status >> 16 == PTRACE_EVENT_STOP && sig != SIGTRAP)
				request = PTRACE_LISTEN;
			sig = 0;
		}
		ptrace(request, tid, 0L, sig);
	}
}
