/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids of processes, threads, process groups and sessions in a new pid namespace. */
#include <fcntl.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int thread_id;
static pthread_barrier_t ready;

static void *wait_for_end(void *arg)
{
	thread_id = syscall(SYS_gettid);
	pthread_barrier_wait(&ready);
	pause();
	return arg;
}

/* Starts a process with its own process group (id 2) and a second thread (id 3). */
static int prepare(void)
{
	int child = fork();
	pthread_t thread;

	if (!child)
		for (;;)
			pause();
	setpgid(child, child);
	pthread_barrier_init(&ready, NULL, 2);
	pthread_create(&thread, NULL, wait_for_end, NULL);
	pthread_barrier_wait(&ready);
	return child;
}

static void ask(int child, int thread)
{
	struct f_owner_ex owner = {F_OWNER_TID, thread};
	struct sched_param param;
	siginfo_t info;

	syscall(SYS_getpgrp);
	syscall(SYS_getpgid, child);
	syscall(SYS_getsid, 0);
	syscall(SYS_setsid);
	syscall(SYS_getpgrp);
	syscall(SYS_getsid, child);
	syscall(SYS_setpgid, child, child);
	syscall(SYS_kill, child, 0);
	syscall(SYS_kill, -child, 0);
	syscall(SYS_kill, -1, 0);
	syscall(SYS_kill, thread, 0);
	syscall(SYS_tgkill, 1, thread, 0);
	syscall(SYS_wait4, -child, NULL, WNOHANG, NULL);
	syscall(SYS_wait4, child, NULL, WNOHANG, NULL);
	syscall(SYS_waitid, P_PGID, child, &info, WNOHANG | WEXITED, NULL);
	syscall(SYS_sched_getparam, child, &param);
	syscall(SYS_sched_getparam, thread, &param);
	syscall(SYS_getpriority, PRIO_PROCESS, child);
	syscall(SYS_getpriority, PRIO_PGRP, child);
	syscall(SYS_getpriority, PRIO_USER, child);
	syscall(SYS_ioprio_get, 2, child);
	syscall(SYS_ptrace, PTRACE_CONT, thread, 0, 0);
	fcntl(0, F_SETOWN, -child);
	fcntl(0, F_SETOWN, child);
	fcntl(0, F_SETOWN_EX, &owner);
	owner = (struct f_owner_ex){F_OWNER_PGRP, child};
	fcntl(0, F_SETOWN_EX, &owner);
	owner.type = 7;
	fcntl(0, F_SETOWN_EX, &owner);
	syscall(SYS_kcmp, child, 1, KCMP_FILE, 0, 0);
	syscall(SYS_kcmp, thread, 99, KCMP_FILE, 0, 0);
}

int main(int argc, char **argv)
{
	int flags = geteuid() ? CLONE_NEWUSER | CLONE_NEWPID : CLONE_NEWPID, pid;

	if (unshare(flags))
		return 77;
	if (argc > 1 && !strcmp(argv[1], "probe"))
		return 0;
	/* A process may always set the lowest priority, whatever its current priority is. */
	setpriority(PRIO_PROCESS, 0, 19);
	pid = fork();
	if (!pid) {
		int child = prepare();

		ask(child, thread_id);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
