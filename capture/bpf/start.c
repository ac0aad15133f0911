/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts the command, and attaches to running processes. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/bpf/engine_state.h"
#include "capture/bpf/spaces.h"
#include "capture/own_signals.h"
#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "capture/proc/tasks.h"
#include "util/clock.h"
#include "util/msg.h"

struct thread *bpf_engine_add(struct bpf_engine *e, pid_t tid, pid_t tgid, unsigned flags)
{
	struct thread *t = threads_add(&e->threads, tid, tgid, flags);

	kernel_thread_began(e->kernel, tid);
	t->tcb.capture = &e->capture;
	t->tcb.group = e->capture.group;
	t->tcb.memory = e->mmaps ? &e->image.memory : &e->memory.memory;
	t->tcb.facts = e->capture.facts;
	return t;
}

static void attr_noreturn run_child(int ready, int go, const char *path, char *const argv[],
				    char *const env[], void (*setup)(void *ctx), void *ctx)
{
	char c;

	own_signals_restore();
	if (setup)
		setup(ctx);
	/* Both descriptors are closed by execve. */
	if (write(ready, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	execve(path, argv, env);
	msg_errno("exec");
	_exit(1);
}

static void close_both(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/*
 * Waits until the child is about to call execve. If the child has ended, sets *status to its wait
 * status and returns false.
 */
static bool wait_ready(pid_t pid, int ready, int *status)
{
	ssize_t n;
	char c;

	do
		n = read(ready, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return true;
	while (waitpid(pid, status, __WALL) < 0 && errno == EINTR)
		;
	return false;
}

static unsigned follow_flag(const struct bpf_engine *e)
{
	return e->config.follow ? THREAD_FOLLOW : 0;
}

struct tcb *bpf_engine_start(struct capture *c, const char *path, char *const argv[],
			     char *const env[], void (*setup)(void *ctx), void *ctx, int *status)
{
	struct bpf_engine *e = bpf_engine_of(c);
	int ready[2], go[2], err;
	struct thread *t = NULL;
	pid_t pid;

	*status = 0;
	if (pipe2(ready, O_CLOEXEC))
		return NULL;
	if (pipe2(go, O_CLOEXEC)) {
		close_both(ready);
		return NULL;
	}
	pid = fork();
	if (!pid) {
		close(ready[0]);
		close(go[1]);
		run_child(ready[1], go[0], path, argv, env, setup, ctx);
	}
	close(ready[1]);
	close(go[0]);
	err = pid < 0 ? -errno : 0;
	if (!err && !wait_ready(pid, ready[0], status)) {
		close(ready[0]);
		close(go[1]);
		return NULL;
	}
	if (!err)
		err = kernel_add(e->kernel, pid, pid, 0, follow_flag(e) | THREAD_STARTING);
	if (!err)
		err = kernel_attach(e->kernel);
	if (!err) {
		e->command = pid;
		if (e->mmaps)
			spaces_start(e->spaces, pid);
		t = bpf_engine_add(e, pid, pid, TCB_STARTED | TCB_WAIT_EXECVE | TCB_UNREPORTED);
		proc_comm(pid, t->comm);
		err = write(go[1], "", 1) == 1 ? 0 : -errno;
	}
	close(ready[0]);
	close(go[1]);
	errno = -err;
	return err ? NULL : &t->tcb;
}

static int attach_one(struct bpf_engine *e, pid_t tid, pid_t tgid)
{
	int err = kernel_add(e->kernel, tid, tgid, e->capture.group, follow_flag(e));
	struct thread *t;

	if (err)
		return err;
	if (e->mmaps)
		spaces_attach(e->spaces, tid, tgid, timespec_ns(clock_after(0)));
	t = bpf_engine_add(e, tid, tgid, TCB_ATTACHED | TCB_UNREPORTED);
	t->attached = timespec_ns(clock_after(0));
	proc_comm(tid, t->comm);
	return 0;
}

int bpf_engine_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	struct bpf_engine *e = bpf_engine_of(c);
	const pid_t tgid = procfs_tgid(c->procfs, procfs_pid(c->procfs, pid));
	pid_vec threads = {0};
	int err = kernel_attach(e->kernel), refusal;
	unsigned found, refused;

	*attached = 0;
	if (!err && !tgid)
		err = -ESRCH;
	if (err)
		return err;
	if (!threads_find(&e->threads, pid)) {
		err = attach_one(e, pid, tgid);
		if (!err)
			++*attached;
	}
	if (!e->config.follow)
		return err;
	/*
	 * Threads can start while we read the list, so read the list until it contains no new
	 * thread.
	 */
	do {
		found = refused = 0;
		threads.n = 0;
		proc_threads(c->procfs, pid, &threads);
		vec_for_each (&threads, tid) {
			if (threads_find(&e->threads, *tid))
				continue;
			refusal = attach_one(e, *tid, tgid);
			found += !refusal;
			refused += refusal == -EINVAL;
		}
		*attached += found;
	} while (found);
	vec_deinit(&threads);
	if (refused)
		msg("--engine=bpf: %u thread%s of process %d %s not traced: tracing them needs "
		    "Linux 6.9 or later: use --engine=ptrace",
		    refused, refused == 1 ? "" : "s", (int)tgid, refused == 1 ? "is" : "are");
	return *attached ? 0 : err;
}
