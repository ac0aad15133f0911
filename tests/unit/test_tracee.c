/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs real child processes under the event loop, and checks which stops are reported and in which
 * order.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "range.h"
#include "select/seccomp_filter.h"
#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_mem.h"
#include "capture/ptrace/tracee_thread.h"
#include "linux/arch/arch.h"

/* AddressSanitizer cannot stop traced children to search for leaks, so its search is disabled. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

struct log {
	unsigned enter, exit, signals, group, exec, fork, fresh, exited, vanished;
	/* number of exit stops whose syscall number differs from the number at entry */
	unsigned unbalanced;
	int last_signal, started_status;
	pid_t exec_from, exec_tid, superseded;
	bool shared;
	unsigned getppid_enter, getppid_exit;
};

/* Called at each stop. Returns true if it has already resumed the tracee. */
typedef bool hook(struct capture *c, struct stop *stop, void *ctx);

static void account(struct log *log, const struct stop *stop)
{
	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		log->enter++;
		log->getppid_enter += stop->tcb->regs.nr == SYS_getppid;
		stop->tcb->tamper_data = (void *)(uintptr_t)stop->tcb->regs.nr;
		break;
	case STOP_SYSCALL_EXIT:
		log->exit++;
		log->getppid_exit += stop->tcb->regs.nr == SYS_getppid;
		log->unbalanced +=
			(uint64_t)(uintptr_t)stop->tcb->tamper_data != stop->tcb->regs.nr;
		break;
	case STOP_SIGNAL:
		log->signals++;
		log->last_signal = stop->sig;
		assert_true(stop->has_info);
		assert_int_equal(stop->info.si_signo, stop->sig);
		break;
	case STOP_GROUP:
		log->group++;
		break;
	case STOP_EXEC:
		log->exec++;
		log->exec_from = stop->pid;
		log->exec_tid = stop->tcb->tid;
		break;
	case STOP_FORK:
		log->fork++;
		log->shared = stop->child_shares_mm;
		assert_non_null(stop->child);
		assert_int_equal(stop->child->tid, stop->pid);
		break;
	case STOP_NEW:
		log->fresh++;
		break;
	case STOP_EXITED:
		log->exited++;
		if (stop->tcb->flags & TCB_STARTED)
			log->started_status = stop->status;
		break;
	case STOP_VANISHED:
		log->vanished++;
		log->superseded = stop->pid;
		break;
	default:
		break;
	}
}

static void run(struct capture *c, struct log *log, hook *fn, void *ctx)
{
	struct stop stop;

	memset(log, 0, sizeof(*log));
	for (;;) {
		capture_wait(c, &stop, NULL);
		if (stop.kind == STOP_NONE)
			return;
		account(log, &stop);
		if (fn && fn(c, &stop, ctx))
			continue;
		if (stop.tcb)
			capture_resume(stop.tcb);
	}
}

static struct capture *engine_new(bool follow)
{
	struct capture_config config = {
		.follow = follow, .want_stacks = true, .interruptible = 2, .spin = 100};

	return tracees_create(&config);
}

/* Starts this program as the tracee. Its first argument, `what`, selects its behavior. */
static void start(struct capture *c, const char *what)
{
	char self[] = "/proc/self/exe";
	char *argv[] = {self, (char *)what, NULL};
	int status;

	assert_non_null(capture_start(c, self, argv, environ, NULL, NULL, &status));
}

static void trace(const char *what, struct log *log)
{
	struct capture *c = engine_new(true);

	start(c, what);
	run(c, log, NULL, NULL);
	assert_int_equal(capture_count(c), 0);
	assert_int_equal(log->unbalanced, 0);
	capture_destroy(c);
}

static void *thread_idle(void *arg)
{
	pause();
	return arg;
}

static void *thread_ppid(void *arg)
{
	for (int i = 0; i < 10; i++)
		syscall(SYS_getppid);
	return arg;
}

static void *thread_exec(void *arg)
{
	char *argv[] = {(char *)"/proc/self/exe", (char *)"exit7", NULL};

	execve(argv[0], argv, environ);
	return arg;
}

static int child_main(const char *what)
{
	pthread_t t[50];
	int status;
	pid_t pid;

	/* The child must not survive a failed test. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!strcmp(what, "exit7"))
		return 7;
	if (!strcmp(what, "fork")) {
		pid = fork();
		if (!pid) {
			syscall(SYS_getppid);
			_exit(3);
		}
		waitpid(pid, &status, 0);
		return WEXITSTATUS(status);
	}
	if (!strcmp(what, "vfork")) {
		pid = vfork();
		if (!pid) {
			syscall(SYS_getppid);
			_exit(4);
		}
		waitpid(pid, &status, 0);
		return WEXITSTATUS(status);
	}
	if (!strcmp(what, "threads")) {
		for (int i = 0; i < 50; i++)
			pthread_create(&t[i], NULL, thread_ppid, NULL);
		for (int i = 0; i < 50; i++)
			pthread_join(t[i], NULL);
		return 0;
	}
	if (!strcmp(what, "threadexec")) {
		pthread_create(&t[0], NULL, thread_idle, NULL);
		pthread_create(&t[1], NULL, thread_exec, NULL);
		pthread_join(t[0], NULL);
		return 1;
	}
	if (!strcmp(what, "signal")) {
		signal(SIGUSR1, SIG_IGN);
		raise(SIGUSR1);
		raise(SIGTERM);
		return 1;
	}
	if (!strcmp(what, "stop")) {
		raise(SIGSTOP);
		return 5;
	}
	if (!strcmp(what, "pause")) {
		for (;;)
			pause();
	}
	if (!strcmp(what, "busy")) {
		for (;;)
			syscall(SYS_getppid);
	}
	if (!strcmp(what, "filtered")) {
		for (int i = 0; i < 5; i++) {
			if (!fork()) {
				syscall(SYS_getppid);
				syscall(SYS_gettid);
				_exit(0);
			}
		}
		while (wait(NULL) > 0)
			;
		syscall(SYS_getppid);
		return 6;
	}
	if (!strcmp(what, "storm")) {
		for (int i = 0; i < 100; i++) {
			if (!fork())
				_exit(0);
		}
		while (wait(NULL) > 0)
			;
		return 0;
	}
	return 99;
}

static void test_exit(void **state attr_unused)
{
	struct log log;

	trace("exit7", &log);
	assert_int_equal(log.exec, 1);
	assert_int_equal(log.fresh, 1);
	assert_int_equal(log.exited, 1);
	assert_true(WIFEXITED(log.started_status) && WEXITSTATUS(log.started_status) == 7);
	/* exit_group() has no exit stop. The exit stop of execve comes after its event stop. */
	assert_int_equal(log.enter, log.exit + 1);
}

static void test_fork(void **state attr_unused)
{
	struct log log;

	trace("fork", &log);
	assert_int_equal(log.fork, 1);
	assert_int_equal(log.fresh, 2);
	assert_int_equal(log.exited, 2);
	assert_false(log.shared);
	assert_int_equal(log.getppid_enter, 1);
	assert_int_equal(log.getppid_exit, 1);
	assert_int_equal(log.last_signal, SIGCHLD);
	assert_int_equal(WEXITSTATUS(log.started_status), 3);
	assert_int_equal(log.enter, log.exit + 2);
}

static void test_vfork(void **state attr_unused)
{
	struct log log;

	trace("vfork", &log);
	assert_int_equal(log.fork, 1);
	assert_true(log.shared);
	assert_int_equal(log.exited, 2);
	assert_int_equal(WEXITSTATUS(log.started_status), 4);
}

static void test_threads(void **state attr_unused)
{
	struct log log;

	trace("threads", &log);
	assert_int_equal(log.fork, 50);
	assert_true(log.shared);
	assert_int_equal(log.fresh, 51);
	assert_int_equal(log.exited, 51);
	assert_int_equal(log.vanished, 0);
	assert_int_equal(log.getppid_enter, 500);
	assert_int_equal(log.getppid_exit, 500);
}

static void test_thread_exec(void **state attr_unused)
{
	struct log log;

	trace("threadexec", &log);
	assert_int_equal(log.fork, 2);
	assert_int_equal(log.exec, 2);
	assert_int_equal(log.vanished, 1);
	assert_int_equal(log.superseded, log.exec_from);
	assert_int_not_equal(log.exec_from, log.exec_tid);
	/* The idle thread and the process itself have exited. */
	assert_int_equal(log.exited, 2);
}

static void test_storm(void **state attr_unused)
{
	struct log log;

	trace("storm", &log);
	assert_int_equal(log.fork, 100);
	assert_int_equal(log.fresh, 101);
	assert_int_equal(log.exited, 101);
	assert_false(log.shared);
}

static void test_signal(void **state attr_unused)
{
	struct log log;

	trace("signal", &log);
	assert_int_equal(log.signals, 2);
	assert_int_equal(log.last_signal, SIGTERM);
	assert_true(WIFSIGNALED(log.started_status));
	assert_int_equal(WTERMSIG(log.started_status), SIGTERM);
}

static bool suppress_sigterm(struct capture *c attr_unused, struct stop *stop,
			     void *ctx attr_unused)
{
	if (stop->kind == STOP_SIGNAL && stop->sig == SIGTERM)
		stop->tcb->restart_signal = 0;
	return false;
}

static void test_signal_suppressed(void **state attr_unused)
{
	struct capture *c = engine_new(false);
	struct log log;

	start(c, "signal");
	run(c, &log, suppress_sigterm, NULL);
	assert_true(WIFEXITED(log.started_status));
	assert_int_equal(WEXITSTATUS(log.started_status), 1);
	capture_destroy(c);
}

static bool continue_stopped(struct capture *c attr_unused, struct stop *stop,
			     void *ctx attr_unused)
{
	if (stop->kind == STOP_GROUP)
		kill(stop->tcb->tid, SIGCONT);
	return false;
}

static void test_group_stop(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	struct log log;

	start(c, "stop");
	run(c, &log, continue_stopped, NULL);
	assert_int_equal(log.group, 1);
	assert_int_equal(log.signals, 2); /* SIGSTOP and SIGCONT */
	assert_int_equal(WEXITSTATUS(log.started_status), 5);
	capture_destroy(c);
}

static char proc_state(pid_t pid)
{
	char path[64], line[512], *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	assert_non_null(f);
	p = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return p ? p[2] : '?';
}

static bool kill_at_entry(struct capture *c attr_unused, struct stop *stop, void *ctx)
{
	unsigned *n = ctx;

	if (stop->kind == STOP_SYSCALL_ENTER && ++*n == 20) {
		uint64_t word;

		kill(stop->tcb->tid, SIGKILL);
		/* Give the tracee time to die. The read must return in any case. */
		for (int i = 0; i < 1000 && proc_state(stop->tcb->tid) == 't'; i++)
			sched_yield();
		assert_int_not_equal(memory_read(stop->tcb->memory, stop->tcb->regs.sp, &word, 8),
				     1);
	}
	return false;
}

static void test_kill(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	unsigned n = 0;
	struct log log;

	start(c, "busy");
	run(c, &log, kill_at_entry, &n);
	assert_true(WIFSIGNALED(log.started_status));
	assert_int_equal(WTERMSIG(log.started_status), SIGKILL);
	assert_int_equal(log.exited, 1);
	capture_destroy(c);
}

static pid_t spawn(const char *what)
{
	pid_t pid = fork();

	if (!pid)
		_exit(child_main(what));
	/* Wait until the child sleeps, however busy the machine is. */
	for (int i = 0; !strcmp(what, "pause") && proc_state(pid) != 'S' && i < 500; i++)
		usleep(20000);
	return pid;
}

static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_attach(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	pid_t pid = spawn("pause");
	struct timespec deadline;
	struct stop stop;
	unsigned n;

	assert_int_equal(capture_attach(c, pid, &n), 0);
	assert_int_equal(n, 1);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_NEW);
	assert_int_equal(stop.tcb->tid, pid);
	/* The process was already in a syscall when tracer attached to it. */
	assert_true(stop.in_syscall);
#ifdef SYS_pause
	assert_int_equal(stop.tcb->regs.nr, SYS_pause);
#else
	assert_int_equal(stop.tcb->regs.nr, SYS_ppoll);
	assert_int_equal(stop.tcb->regs.args[0], 0);
#endif
	capture_resume(stop.tcb);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_SYSCALL_ENTER);
	capture_resume(stop.tcb);
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += 1;
	capture_wait(c, &stop, &deadline);
	assert_int_equal(stop.kind, STOP_TIMEOUT);
	assert_int_equal(capture_detach(capture_find(c, pid)), 0);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_NONE);
	capture_destroy(c);
	usleep(10000);
	assert_int_equal(proc_state(pid), 'S');
	reap(pid);
}

static void test_attach_stopped(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	pid_t pid = spawn("pause");
	struct stop stop;
	unsigned n;

	kill(pid, SIGSTOP);
	while (proc_state(pid) != 'T')
		usleep(1000);
	assert_int_equal(capture_attach(c, pid, &n), 0);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_NEW);
	capture_resume(stop.tcb);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_GROUP);
	assert_int_equal(stop.sig, SIGSTOP);
	capture_resume(stop.tcb);
	usleep(20000);
	assert_int_equal(capture_detach(capture_find(c, pid)), 0);
	capture_destroy(c);
	usleep(20000);
	assert_int_equal(proc_state(pid), 'T');
	reap(pid);
}

static void test_attach_threads(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	struct tcb *tcb = NULL;
	struct stop stop;
	unsigned n, fresh = 0;
	pid_t pid = fork();
	struct stat task;
	char path[64];

	if (!pid) {
		pthread_t t;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; i < 49; i++)
			pthread_create(&t, NULL, thread_idle, NULL);
		pause();
	}
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	/* The directory has 2 links for "." and "..", and one for each thread. */
	for (int i = 0; i < 3000 && !(stat(path, &task) == 0 && task.st_nlink == 52); i++)
		usleep(10000);
	assert_int_equal(capture_attach(c, pid, &n), 0);
	assert_int_equal(n, 50);
	while (fresh < 50) {
		capture_wait(c, &stop, NULL);
		fresh += stop.kind == STOP_NEW;
		capture_resume(stop.tcb);
	}
	while ((tcb = capture_next(c, tcb, NEWEST_FIRST)))
		assert_int_equal(capture_detach(tcb), 0);
	assert_int_equal(capture_count(c), 0);
	capture_destroy(c);
	usleep(20000);
	assert_int_equal(proc_state(pid), 'S');
	reap(pid);
}

static void test_attach_errors(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	unsigned n;

	assert_int_equal(capture_attach(c, 4194304, &n), -ESRCH);
	assert_int_equal(capture_attach(c, getpid(), &n), -EPERM);
	assert_int_equal(capture_count(c), 0);
	capture_destroy(c);
}

static void test_interrupted(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	pid_t pid = spawn("pause");
	struct stop stop;
	unsigned n;

	assert_int_equal(capture_attach(c, pid, &n), 0);
	raise(SIGINT);
	do {
		capture_wait(c, &stop, NULL);
		if (stop.tcb)
			capture_resume(stop.tcb);
	} while (stop.tcb);
	assert_int_equal(stop.kind, STOP_SIGNALLED);
	assert_int_equal(stop.sig, SIGINT);
	capture_destroy(c);
	for (int i = 0; i < 6000 && proc_state(pid) != 'S'; i++)
		usleep(10000);
	assert_int_equal(proc_state(pid), 'S');
	reap(pid);
}

static void interrupt_self(int sig attr_unused)
{
	raise(SIGINT);
}

/*
 * Ctrl-C interrupts tracer and the tracees at the same time. tracer must report its own signal
 * first, and then the tracees' reactions to it.
 */
static void test_interrupted_first(void **state attr_unused)
{
	struct capture_config config = {.follow = true, .interruptible = 2};
	struct capture *c = tracees_create(&config);
	struct stop stop;
	unsigned first = 0;

	start(c, "busy");
	for (int i = 0; i < 100; i++) {
		capture_wait(c, &stop, NULL);
		assert_non_null(stop.tcb);
		/* A tracee stops and the tracer receives a signal at the same time. */
		signal(SIGCHLD, interrupt_self);
		capture_resume(stop.tcb);
		capture_wait(c, &stop, NULL);
		signal(SIGCHLD, SIG_DFL);
		first += stop.kind == STOP_SIGNALLED;
		if (stop.tcb) {
			/* The kernel may report a stop shortly before it sends SIGCHLD. */
			capture_resume(stop.tcb);
			continue;
		}
		assert_int_equal(stop.sig, SIGINT);
	}
	assert_uint_in_range(first, 50, 100);
	kill(capture_next(c, NULL, NEWEST_FIRST)->tid, SIGKILL);
	capture_destroy(c);
}

/* Each tracee must have SHARE stops before all tracees together have STOPS_MAX stops. */
#define SHARE	  50
#define STOPS_MAX 1000000

/* If several tracees never sleep, tracer handles the stops of each of them. */
static void test_fairness(void **state attr_unused)
{
	for (unsigned spin = 0; spin <= 100; spin += 100) {
		struct capture_config config = {.follow = true, .interruptible = 2, .spin = spin};
		struct capture *c = tracees_create(&config);
		unsigned stops[6] = {0}, served = 0, n;
		pid_t pids[6];
		struct stop stop;

		for (int i = 0; i < 6; i++) {
			pids[i] = spawn("busy");
			assert_int_equal(capture_attach(c, pids[i], &n), 0);
		}
		for (int k = 0; k < STOPS_MAX && served < 6; k++) {
			capture_wait(c, &stop, NULL);
			for (int i = 0; i < 6; i++)
				served += stop.tcb->tid == pids[i] && ++stops[i] == SHARE;
			capture_resume(stop.tcb);
		}
		capture_destroy(c);
		for (int i = 0; i < 6; i++)
			reap(pids[i]);
		assert_int_equal(served, 6);
	}
}

static void setup_fails(void *ctx attr_unused)
{
	_exit(42);
}

static void test_setup_fails(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	char *argv[] = {(char *)"/bin/true", NULL};
	int status;

	assert_null(capture_start(c, argv[0], argv, environ, setup_fails, NULL, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	assert_int_equal(capture_count(c), 0);
	capture_destroy(c);
}

/* Memory that the tracee inherits at fork: two pages, the second of which is unmapped. */
static char *two_pages;

static bool read_memory(struct capture *c attr_unused, struct stop *stop, void *ctx)
{
	struct tcb *tcb = stop->tcb;
	uint64_t at = (uintptr_t)two_pages;
	char buf[8192];

	if (stop->kind != STOP_SYSCALL_ENTER || tcb->regs.nr != SYS_getppid)
		return false;
	for (int peek = 0; peek < 2; peek++) {
		struct memory_op ops[] = {{at, buf, 8, 0},
					  {at + 4090, buf + 8, 20, 0},
					  {8, buf + 28, 4, 0},
					  {at + 1, buf + 32, 3, 0}};

		tcb->flags = (tcb->flags & ~TCB_PEEK) | (peek ? TCB_PEEK : 0);
		assert_int_equal(memory_read(tcb->memory, at + 1, buf, 4095), 0);
		assert_memory_equal(buf, two_pages + 1, 4095);
		assert_int_equal(memory_read(tcb->memory, at + 1, buf, 4096), -EFAULT);
		assert_int_equal(memory_read(tcb->memory, at, buf, 0), 0);
		assert_int_equal(memory_read_some(tcb->memory, at + 4000, buf, 8192 - 4000), 96);
		assert_int_equal(memory_read_some(tcb->memory, at + 4096, buf, 10), -EFAULT);
		assert_int_equal(memory_read_some(tcb->memory, 0, buf, 10), -EFAULT);
		assert_int_equal(memory_read_some(tcb->memory, UINT64_MAX - 3, buf, 10), -EFAULT);
		assert_int_equal(memory_read_string(tcb->memory, at + 4096 - 6, buf, 100), 5);
		assert_string_equal(buf, "hello");
		assert_int_equal(memory_read_string(tcb->memory, at, buf, 8192), 4095);
		assert_int_equal(memory_read_string(tcb->memory, at, buf, 50), 50);
		assert_int_equal(memory_read_string(tcb->memory, at + 4096, buf, 50), -EFAULT);
		memory_read_batch(tcb->memory, ops, ARRAY_SIZE(ops));
		assert_int_equal(ops[0].got, 8);
		assert_int_equal(ops[1].got, 6);
		assert_int_equal(ops[2].got, -EFAULT);
		assert_int_equal(ops[3].got, 3);
		assert_memory_equal(buf + 32, two_pages + 1, 3);
	}
	tcb->flags &= ~TCB_PEEK;
	assert_int_equal(tracee_write(tcb, at + 3, "xyz", 3), 3);
	assert_int_equal(memory_read(tcb->memory, at + 2, buf, 5), 0);
	assert_memory_equal(buf, "axyza", 5);
	assert_int_equal(tracee_write(tcb, 16, "xyz", 3), -EFAULT);
	/* A write across the end of the page writes only the bytes that fit. */
	for (int peek = 0; peek < 2; peek++) {
		tcb->flags = (tcb->flags & ~TCB_PEEK) | (peek ? TCB_PEEK : 0);
		assert_int_equal(tracee_write(tcb, at + 4094, "yyy", 3), 2);
		assert_int_equal(tracee_write(tcb, at + 4096, "yyy", 3), -EFAULT);
		assert_int_equal(memory_read(tcb->memory, at + 4093, buf, 3), 0);
		assert_memory_equal(buf, "lyy", 3);
	}
	++*(unsigned *)ctx;
	return false;
}

static void test_memory(void **state attr_unused)
{
	struct capture *c = engine_new(true);
	unsigned n = 0, times = 0;
	struct log log;
	pid_t pid;

	two_pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(two_pages, 'a', 8192);
	strcpy(two_pages + 4096 - 6, "hello");
	munmap(two_pages + 4096, 4096);
	pid = fork();
	if (!pid) {
		usleep(100000);
		syscall(SYS_getppid);
		_exit(0);
	}
	assert_int_equal(capture_attach(c, pid, &n), 0);
	run(c, &log, read_memory, &times);
	assert_int_equal(times, 1);
	capture_destroy(c);
	munmap(two_pages, 4096);
}

static void test_seccomp(void **state attr_unused)
{
	struct capture_config config = {.follow = true, .interruptible = 2, .spin = 100};
	struct syscall_set stops;
	struct sock_fprog filter;
	struct capture *c;
	struct log log;

	syscall_set_parse(&stops, "execve,getppid");
	assert_true(seccomp_filter_available());
	assert_true(seccomp_filter_build(&stops, NULL, &filter));
	config.seccomp = &filter;
	c = tracees_create(&config);
	start(c, "filtered");
	run(c, &log, NULL, NULL);
	capture_destroy(c);
	assert_int_equal(WEXITSTATUS(log.started_status), 6);
	assert_int_equal(log.fork, 5);
	assert_int_equal(log.enter, 1 + 6);
	assert_int_equal(log.exit, 1 + 6);
	assert_int_equal(log.unbalanced, 0);
	free(filter.filter);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit),	       cmocka_unit_test(test_fork),
		cmocka_unit_test(test_vfork),	       cmocka_unit_test(test_threads),
		cmocka_unit_test(test_thread_exec),    cmocka_unit_test(test_storm),
		cmocka_unit_test(test_signal),	       cmocka_unit_test(test_signal_suppressed),
		cmocka_unit_test(test_group_stop),     cmocka_unit_test(test_kill),
		cmocka_unit_test(test_attach),	       cmocka_unit_test(test_attach_stopped),
		cmocka_unit_test(test_attach_threads), cmocka_unit_test(test_attach_errors),
		cmocka_unit_test(test_interrupted),    cmocka_unit_test(test_interrupted_first),
		cmocka_unit_test(test_fairness),       cmocka_unit_test(test_setup_fails),
		cmocka_unit_test(test_memory),	       cmocka_unit_test(test_seccomp),
	};

	if (argc > 1)
		return child_main(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
