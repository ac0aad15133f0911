/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/start.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/program.h"
#include "cli/ptrace_refusal.h"
#include "select/seccomp_filter.h"
#include "capture/capture.h"
#include "util/msg.h"
#include "capture/proc/cgroup.h"
#include "capture/proc/tasks.h"

void start_refuse_elevated(void)
{
	if (getauxval(AT_SECURE))
		die("refusing to run with more privileges than its user has: remove the "
		    "set-user-id and set-group-id bits and the file capabilities of its file");
}

bool start_filter(const struct options *o, struct sock_fprog *program)
{
	struct syscall_set shown, stop, if_args, rings;

	shown = o->filter.trace;
	options_add_watched(o, &shown);
	if (o->io_uring) {
		syscall_set_parse(&rings, "io_uring_setup,io_uring_enter,io_uring_register");
		syscall_set_add(&shown, &rings);
	}
	seccomp_filter_sets(&shown, o->stacks, &stop, &if_args);
	if (seccomp_filter_available() && seccomp_filter_build(&stop, &if_args, program)) {
		if (o->debug)
			msg("--seccomp-bpf: calls with %u of %u syscall numbers of %s stop the "
			    "program; calls with %u other numbers stop it only with certain "
			    "arguments",
			    syscall_set_count(&stop, abi_native()->index), SYSCALL_SET_MAX,
			    abi_native()->name, syscall_set_count(&if_args, abi_native()->index));
		return true;
	}
	msg("seccomp filter is requested but unavailable");
	return false;
}

/* Prints that the command cannot be traced, with the reason from errno, and exits. */
static attr_noreturn void refuse_command(const struct capture *c, const char *path)
{
	const int err = errno;

	if (err == EPERM && !strcmp(c->name, "ptrace"))
		ptrace_refusal_explain(c->procfs, 0);
	errno = err;
	die_errno("cannot trace '%s'", path);
}

pid_t start_command(struct capture *c, const struct options *o, int *status)
{
	char *path = program_find(o->program);
	struct tcb *tcb;

	*status = 0;
	tcb = capture_start(c, path, o->argv, o->env, options_setup_child, (void *)o, status);
	if (!tcb && !*status)
		refuse_command(c, path);
	free(path);
	return tcb ? tcb->tid : 0;
}

pid_t start_daemonized(struct capture *c, const struct options *o)
{
	char *path = program_find(o->program);
	pid_t command = getpid(), child;
	unsigned attached;
	int ready[2], err;

	if (pipe2(ready, O_CLOEXEC) < 0 || (child = fork()) < 0)
		die_errno("cannot start the tracer process");
	if (child) {
		close(ready[1]);
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		/*
		 * Execute the command as soon as the tracer writes to the pipe. If the tracer
		 * fails, it prints the reason and closes the pipe, and capture_become() ends this
		 * process.
		 */
		capture_become(c, ready[0], path, o->argv, o->env, options_setup_child, (void *)o);
	}
	/*
	 * Fork again. Otherwise the tracer would be a child of the command, which does not wait for
	 * it.
	 */
	child = fork();
	if (child < 0)
		die_errno("cannot start the tracer process");
	if (child)
		_exit(0);
	close(ready[0]);
	if (o->daemonize == 2)
		setpgid(0, 0);
	else if (o->daemonize > 2)
		setsid();
	start_attach(c, o);
	err = capture_attach(c, command, &attached);
	/* A process of a control group may end at any time, so ignore this error. */
	if (err == -ESRCH && o->capture.ncgroups)
		return 0;
	if (err < 0) {
		errno = -err;
		die_errno("attach: ptrace(PTRACE_SEIZE, %d)", command);
	}
	capture_find(c, command)->flags |= TCB_STARTED | TCB_WAIT_EXECVE;
	if (write(ready[1], "", 1) != 1)
		die_errno("cannot start '%s'", path);
	close(ready[1]);
	free(path);
	if (!(o->quiet & QUIET_ATTACH))
		msg("Process %d attached", command);
	return command;
}

void start_leave_stdio(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return;
	close(ends[1]);
	dup3(ends[0], STDIN_FILENO, O_CLOEXEC);
	dup3(ends[0], STDOUT_FILENO, O_CLOEXEC);
	close(ends[0]);
}

void start_hold_stdio(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static bool attach_one(struct capture *c, const struct options *o, pid_t pid)
{
	unsigned attached;
	int err = capture_attach(c, pid, &attached);

	/* The process is already traced, because the user specified it twice. */
	if (!err && !attached)
		err = -EPERM;
	if (err < 0) {
		errno = -err;
		if (strcmp(c->name, "ptrace")) {
			msg_errno("attach: process %d", pid);
			return false;
		}
		msg_errno("attach: ptrace(PTRACE_SEIZE, %d)", pid);
		if (err == -EPERM)
			ptrace_refusal_explain(c->procfs, pid);
		return false;
	}
	if (o->quiet & QUIET_ATTACH)
		return true;
	if (attached > 1)
		msg("Process %d attached with %u threads", pid, attached);
	else
		msg("Process %d attached", pid);
	return true;
}

static void attach_tree(struct capture *c, const struct options *o, pid_t pid)
{
	pid_vec todo = {0};

	if (!attach_one(c, o, pid) || !o->tree)
		return;
	/*
	 * Attach before listing the children. From then on, the kernel attaches tracer to new
	 * children, so none is missed.
	 */
	proc_children(c->procfs, pid, &todo);
	for (size_t i = 0; i < todo.n; i++) {
		pid_t child = todo.v[i];

		/* Skip zombies, because the kernel does not attach to them. */
		if (!capture_find(c, child) &&
		    (proc_stat(c->procfs, child, 3) == 'Z' || !attach_one(c, o, child)))
			continue;
		proc_children(c->procfs, child, &todo);
	}
	vec_deinit(&todo);
}

/*
 * Returns true if the process is tracer or one of its descendants, such as the command of -o
 * '|COMMAND'. If these processes were traced, each event that they write would cause further
 * events.
 */
static bool is_ours(const struct capture *c, pid_t pid)
{
	while (pid > 1 && pid != getpid())
		pid = proc_stat(c->procfs, pid, 4);
	return pid == getpid();
}

/*
 * Attaches to all processes in a control group. Lists the group again until the list contains no
 * new process, because processes may start in the meantime.
 */
static void attach_group(struct capture *c, const struct options *o, const char *group)
{
	pid_vec found = {0};
	bool new;

	do {
		new = false;
		found.n = 0;
		cgroup_processes(group, &found);
		vec_for_each (&found, pid)
			new |= !capture_find(c, *pid) && !is_ours(c, *pid) &&
			       attach_one(c, o, *pid);
	} while (new);
	vec_deinit(&found);
}

void start_attach(struct capture *c, const struct options *o)
{
	for (unsigned i = 0; i < o->capture.ncgroups; i++) {
		c->group = i;
		attach_group(c, o, o->capture.cgroups[i]);
	}
	for (size_t i = 0; i < o->pids.n; i++)
		attach_tree(c, o, o->pids.v[i]);
}
