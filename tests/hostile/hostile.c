/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hostile WHAT N: runs a workload that is difficult to trace. The difficulty grows with N. Counts
 * its getpgid(0) calls in shared memory, and prints the count as "LEAST MOST" at the end. The two
 * numbers differ if a process may have been killed between a call and its count.
 * hostile peak COMMAND...: runs a command and prints its peak memory in KiB.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

static long *calls, *unsure;
static const char *self;
static int counts_fd;

void mark(void)
{
	syscall(SYS_getpgid, 0);
	__atomic_add_fetch(calls, 1, __ATOMIC_SEQ_CST);
}

void mark_unsure(long n)
{
	*unsure += n;
}

static void reap(void)
{
	while (wait(NULL) > 0 || errno == EINTR) {
	}
}

/* ---- threads ---- */

static void *short_thread(void *arg)
{
	mark();
	return arg;
}

static void threads(long n)
{
	pthread_t t[32];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024);
	while (n > 0) {
		int made = 0;

		for (; made < 32 && n > 0; made++, n--)
			if (pthread_create(&t[made], &attr, short_thread, NULL))
				break;
		for (int i = 0; i < made; i++)
			pthread_join(t[i], NULL);
	}
}

/* ---- processes ---- */

/* Creates a tree of n processes. */
static void forks(long n)
{
	mark();
	for (n--; n > 0;) {
		long part = (n + 1) / 2;
		pid_t pid = fork();

		if (!pid) {
			forks(part);
			_exit(0);
		}
		n -= part;
	}
	reap();
}

static void vforks(long n)
{
	while (n--) {
		/* The child does not call execve, so its parent stays blocked in vfork(). */
		if (!vfork()) {
			mark();
			if (n % 3 == 0)
				kill(getpid(), SIGKILL);
			_exit(0);
		}
		wait(NULL);
	}
}

static void *exec_again(void *arg)
{
	char left[32], fd[32];

	mark();
	snprintf(left, sizeof(left), "%ld", (long)arg - 1);
	snprintf(fd, sizeof(fd), "%d", counts_fd);
	execl(self, self, "execs", left, fd, NULL);
	return NULL;
}

static void *wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Executes the program n times in a row, each time from a thread that is not the leader. */
static void execs(long n)
{
	pthread_t t;

	if (!n)
		return;
	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, wait_for_ever, NULL);
	pthread_create(&t, NULL, exec_again, (void *)n);
	pthread_join(t, NULL);
}

/* ---- signals ---- */

static void storm(long n)
{
	pid_t pid[4];

	for (int i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i])
			for (;;)
				mark();
	}
	for (long i = 0; i < n; i++) {
		kill(pid[i % 4], i % 2 ? SIGCONT : SIGSTOP);
		kill(pid[(i + 1) % 4], SIGCONT);
		if (i % 16 == 0)
			usleep(1000);
	}
	for (int i = 0; i < 4; i++)
		kill(pid[i], SIGKILL);
	reap();
	mark_unsure(4);
}

static void blocked(long n)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (long i = 0; i < n; i++) {
		raise(SIGTERM);
		raise(SIGTRAP);
		mark();
	}
}

static void traces(long n)
{
	for (long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
			mark();
			ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
			_exit(0);
		}
		ptrace(PTRACE_ATTACH, pid, NULL, NULL);
		ptrace(PTRACE_SEIZE, pid, NULL, NULL);
		waitpid(pid, NULL, __WALL);
	}
}

/* ---- memory ---- */

extern const ptrdiff_t __rseq_offset __attribute__((weak));

/*
 * Unregisters rseq(2). Otherwise, the kernel would kill the program when it writes to the memory of
 * libc that is no longer mapped.
 */
static void forget_rseq(void)
{
	if (&__rseq_offset)
		syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, 32, 1,
			0x53053053);
}

/*
 * Starts a process that unmaps everything except the page that it runs on, including its stack,
 * vDSO and text.
 */
static void unmapped(long n)
{
	static const unsigned char code[] = {
		/* rdi = 0, rsi = rbx: munmap(0, page) */
		0x31, 0xff, 0x48, 0x89, 0xde, 0xb8, 0x0b, 0, 0, 0, 0x0f, 0x05,
		/* rdi = rbx + 4096, rsi = r12: munmap(page + 4096, the rest) */
		0x48, 0x8d, 0xbb, 0, 0x10, 0, 0, 0x4c, 0x89, 0xe6, 0xb8, 0x0b, 0, 0, 0, 0x0f, 0x05,
		/* getpgid(0), ebp times */
		0x31, 0xff, 0xb8, 0x79, 0, 0, 0, 0x0f, 0x05, 0xff, 0xcd, 0x75, 0xf3,
		/* exit_group(0) */
		0x31, 0xff, 0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05};
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	memcpy(page, code, sizeof(code));
	pid = fork();
	if (!pid) {
		forget_rseq();
		__asm__ volatile("mov %2, %%r12\n\t"
				 "mov %%ecx, %%ebp\n\t"
				 "jmp *%0"
				 :
				 : "b"(page), "c"((int)n),
				   "r"(0x7ffffffff000 - (uintptr_t)page - 4096)
				 : "memory");
	}
	waitpid(pid, NULL, 0);
	*calls += n;
}

static char *moving;
static int done;

static void *remap(void *arg)
{
	while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST)) {
		munmap(moving, 65536);
		mmap(moving, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
		mprotect(moving + 4096, 4096, PROT_NONE);
	}
	return arg;
}

static void remapped(long n)
{
	struct iovec *iov;
	pthread_t t;

	moving = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	iov = (struct iovec *)(moving + 8192);
	pthread_create(&t, NULL, remap, NULL);
	while (n--) {
		syscall(SYS_writev, -1, iov, 16);
		syscall(SYS_open, moving + 4000, 0);
		mark();
	}
	__atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
}

#define ELEMENTS 65536

/* Makes syscalls whose arguments point to far more memory than tracer can show. */
static void huge(long n)
{
	struct iovec *iov = calloc(ELEMENTS, sizeof(*iov));
	struct mmsghdr *messages = calloc(1024, sizeof(*messages));
	size_t size = 1 << 20;
	char *data = malloc(size);

	memset(data, 1, size);
	for (int i = 0; i < ELEMENTS; i++)
		iov[i] = (struct iovec){data, size};
	for (int i = 0; i < 1024; i++) {
		messages[i].msg_hdr.msg_iov = iov;
		messages[i].msg_hdr.msg_iovlen = i % 2 ? 1ull << 32 : ELEMENTS;
		messages[i].msg_hdr.msg_control = data;
		messages[i].msg_hdr.msg_controllen = size;
	}
	while (n--) {
		syscall(SYS_sendmmsg, -1, messages, 1024, 0);
		syscall(SYS_select, 1 << 20, data, data, data, NULL);
		mark();
	}
}

/* ---- namespaces, seccomp and credentials ---- */

static void namespaces(long n)
{
	static const int flags[] = {CLONE_NEWUSER, CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS,
				    CLONE_NEWNS, CLONE_NEWUTS | CLONE_NEWIPC, CLONE_NEWPID};

	for (long i = 0; i < n; i++) {
		if (!fork()) {
			unshare(flags[i % 5]);
			mark();
			if (!fork()) {
				mark();
				if (!chroot("/proc"))
					mark();
				_exit(0);
			}
			reap();
			_exit(0);
		}
		reap();
	}
}

static void strict(long n)
{
	for (long i = 0; i < n; i++) {
		if (!fork()) {
			mark();
			prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
			syscall(SYS_write, -1, "text", 4);
			syscall(SYS_exit, 0);
		}
		reap();
	}
}

/* Installs a seccomp filter that makes sched_yield() fail. */
static void filtered(long n)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_yield, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {4, insns};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	while (n--) {
		sched_yield();
		mark();
	}
}

static void setid(long n)
{
	while (n--) {
		if (!fork()) {
			mark();
			close(STDOUT_FILENO);
			execl("/bin/su", "su", "--version", NULL);
			_exit(0);
		}
		reap();
	}
}

static void leaf(long n)
{
	while (n--)
		mark();
	_exit(0);
}

static void soak_load(long n)
{
	soak(n, self, counts_fd);
}

static void fuse_programs(long n)
{
	fuse_program(n, counts_fd);
}

static void overlay_programs(long n)
{
	overlay_program(n, counts_fd);
}

static const struct scenario {
	const char *name;
	void (*run)(long n);
} scenarios[] = {
	{"threads", threads},
	{"forks", forks},
	{"vforks", vforks},
	{"execs", execs},
	{"storm", storm},
	{"blocked", blocked},
	{"traces", traces},
	{"unmapped", unmapped},
	{"remapped", remapped},
	{"huge", huge},
	{"namespaces", namespaces},
	{"strict", strict},
	{"filtered", filtered},
	{"setid", setid},
	{"userfaults", userfaults},
	{"fuse", fuse_pages},
	{"fuse-program", fuse_programs},
	{"fuse-overlay", overlay_programs},
	{"fuse-names", fuse_names},
	{"fuse-seen", fuse_seen},
	{"leaf", leaf},
	{"soak", soak_load},
	{"times", times},
};

/*
 * Runs a command and prints its peak memory in KiB. The kernel also counts the memory of the
 * process that starts the command, so a Python interpreter cannot measure this.
 */
static int peak(char **command)
{
	struct rusage usage;
	pid_t pid = fork();

	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(*command, command);
		_exit(127);
	}
	if (wait4(pid, NULL, 0, &usage) < 0)
		return 1;
	printf("%ld\n", usage.ru_maxrss);
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 1;

	if (argc > 2 && !strcmp(argv[1], "peak"))
		return peak(argv + 2);
	self = argv[0];
	counts_fd = argc > 3 ? atoi(argv[3]) : (int)syscall(SYS_memfd_create, "calls", 0);
	if (argc <= 3 && ftruncate(counts_fd, 4096))
		return 2;
	calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, counts_fd, 0);
	unsure = calls + 1;
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (argc < 2 || strcmp(argv[1], scenarios[i].name))
			continue;
		scenarios[i].run(n);
		printf("%ld %ld\n", *calls, *calls + *unsure);
		return 0;
	}
	return 2;
}
