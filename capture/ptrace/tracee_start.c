/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts the command, and attaches to running processes. */
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/proc/thread_state.h"
#include "capture/proc/tasks.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/own_signals.h"
#include "linux/arch/arch.h"
#include "util/msg.h"

static int tracee_seize(const struct tracees *set, pid_t tid)
{
	return ptrace(PTRACE_SEIZE, tid, 0L, set->options) ? -errno : 0;
}

static pid_t wait_one(pid_t tid, int *status)
{
	pid_t r;

	do
		r = wait4(tid, status, __WALL, NULL);
	while (r < 0 && errno == EINTR);
	return r;
}

uint64_t tracee_query_mask(void)
{
	/*
	 * struct user_pac_mask: the bits that contain a pointer authentication code, in data
	 * pointers and in code pointers.
	 */
	uint64_t masks[2] = {0};
	struct iovec v = {masks, sizeof(masks)};
	int status;
	pid_t child;

	if (!arch_native->signature_set)
		return 0;
	child = fork();
	if (child < 0)
		return 0;
	if (!child) {
		for (;;)
			pause();
	}
	if (!ptrace(PTRACE_SEIZE, child, 0L, PTRACE_O_EXITKILL) &&
	    !ptrace(PTRACE_INTERRUPT, child, 0L, 0L) && wait_one(child, &status) == child &&
	    ptrace(PTRACE_GETREGSET, child, (unsigned long)arch_native->signature_set, &v))
		masks[1] = 0;
	kill(child, SIGKILL);
	wait_one(child, &status);
	return masks[1] ? ~masks[1] : 0;
}

/*
 * Installs a seccomp filter in this process and returns the filter. If the kernel refuses the
 * filter, prints a message and returns NULL.
 */
static const struct sock_fprog *install_filter(const struct sock_fprog *filter)
{
	/*
	 * PR_SET_NO_NEW_PRIVS restricts the command, so set it only if the kernel refuses the
	 * filter without it.
	 */
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0))
		return filter;
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	    !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0))
		return filter;
	msg_errno("seccomp filter is requested but unavailable");
	return NULL;
}

void tracees_become(struct capture *c, int go, const char *path, char *const argv[],
		    char *const env[], void (*setup)(void *ctx), void *ctx)
{
	const struct tracees *set = (const struct tracees *)c;
	char byte;

	/* The command must start with the signal handling with which we were started. */
	own_signals_restore();
	if (read(go, &byte, 1) != 1)
		_exit(1);
	setup(ctx);
	if (set->config.seccomp)
		install_filter(set->config.seccomp);
	execve(path, argv, env);
	msg_errno("exec");
	_exit(1);
}

static void attr_noreturn run_child(struct tracees *set, int go, const char *path,
				    char *const argv[], char *const env[], void (*setup)(void *ctx),
				    void *ctx)
{
	const struct sock_fprog *filter = set->config.seccomp;
	char c;

	while (read(go, &c, 1) < 0 && errno == EINTR)
		;
	close(go);
	own_signals_restore();
	if (setup)
		setup(ctx);
	if (filter)
		filter = install_filter(filter);
	/*
	 * Tracing begins at this signal, which tracer does not deliver. Its value tells tracer
	 * whether the filter was installed.
	 */
	sigqueue(getpid(), SIGSTOP, (union sigval){.sival_int = filter != NULL});
	execve(path, argv, env);
	msg_errno("exec");
	_exit(1);
}

static bool is_filtered(pid_t pid)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, pid, 0L, &info) && info.si_value.sival_int;
}

struct tcb *tracees_start(struct capture *c, const char *path, char *const argv[],
			  char *const env[], void (*setup)(void *ctx), void *ctx, int *status)
{
	struct tracees *set = (struct tracees *)c;
	struct tracee *t;
	int go[2], err = 0;
	pid_t pid;

	*status = 0;
	if (pipe(go))
		return NULL;
	pid = fork();
	if (pid < 0) {
		err = errno;
		close(go[0]);
		close(go[1]);
		errno = err;
		return NULL;
	}
	if (!pid) {
		close(go[1]);
		run_child(set, go[0], path, argv, env, setup, ctx);
	}
	close(go[0]);
	err = tracee_seize(set, pid);
	if (err)
		kill(pid, SIGKILL);
	close(go[1]);
	for (;;) {
		int ws;

		if (wait_one(pid, &ws) < 0) {
			err = err ? err : -errno;
			break;
		}
		if (!WIFSTOPPED(ws)) {
			*status = err ? 0 : ws;
			break;
		}
		if (ws == STATUS_STOPPED(SIGSTOP, 0)) {
			t = tracee_create(set, pid, TCB_STARTED | TCB_WAIT_EXECVE | TCB_NEW);
			if (set->config.seccomp)
				set->filtered = is_filtered(pid);
			t->tcb.tgid = pid;
			t->tcb.flags |= TCB_STOPPED;
			t->wait_status = STATUS_STOPPED(SIGTRAP, PTRACE_EVENT_STOP);
			tracees_queue(set, t);
			return &t->tcb;
		}
		ptrace(PTRACE_CONT, pid, 0L, STATUS_EVENT(ws) ? 0L : (long)WSTOPSIG(ws));
	}
	errno = -err;
	return NULL;
}

/*
 * Attaches to one thread. tgid is the id of the thread's process, or 0 if it is not known yet.
 * Returns 0 or -errno.
 */
static int attach_one(struct tracees *set, pid_t tid, pid_t tgid)
{
	struct thread_state seen = {.asleep = -1};
	struct syscall_regs call = {0};
	bool slept;
	struct tracee *t;
	int err;

	/* Attaching wakes the thread, so read its state before that. */
	if (set->thread_states)
		seen = thread_state_read(set->thread_states, tgid, tid);
	slept = !arch_native->modes->shows_calls &&
		thread_state_call(set->capture.procfs, tid, &call);
	err = tracee_seize(set, tid);
	if (err)
		return err;
	t = tracee_create(set, tid, TCB_ATTACHED | TCB_NEW);
	t->tcb.tgid = tgid;
	tracee_store_thread_state(&t->tcb, &seen);
	t->tcb.regs = call;
	t->slept = slept;
	spin_running(&set->spin, t);
	ptrace(PTRACE_INTERRUPT, tid, 0L, 0L);
	return 0;
}

int tracees_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	struct tracees *set = (struct tracees *)c;
	int err = 0;
	pid_vec threads = {0};
	struct tracee *first;
	unsigned found;
	pid_t tgid;

	*attached = 0;
	if (!tracees_find(set, pid)) {
		err = attach_one(set, pid, 0);
		if (!err)
			++*attached;
	}
	if (!set->config.follow) {
		guard_on_attach(&set->guard, pid);
		return err;
	}
	first = tracees_find(set, pid);
	tgid = first && tcb_tgid(&first->tcb) ? first->tcb.tgid : 0;
	/*
	 * Threads can start while we read the list, so read the list until it contains no new
	 * thread.
	 */
	do {
		found = 0;
		threads.n = 0;
		proc_threads(set->capture.procfs, pid, &threads);
		for (size_t i = 0; i < threads.n; i++)
			/*
			 * If a traced thread has started other threads, the kernel has already
			 * attached us to them.
			 */
			if (!tracees_find(set, threads.v[i]) &&
			    !attach_one(set, threads.v[i], tgid))
				found++;
		*attached += found;
	} while (found);
	vec_deinit(&threads);
	if (*attached)
		guard_on_attach(&set->guard, pid);
	/* If the thread group leader has exited, it cannot be seized, but its other threads can. */
	return *attached ? 0 : err;
}
