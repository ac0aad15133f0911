/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/namer/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/arch/abi.h"
#include "linux/arch/own_signal.h"

#define SOCKET 3
/*
 * Limit on the address space in bytes. The limit must leave room for the file and its decompressed
 * sections. Browsers have almost 1 GB of debugging information.
 */
#define MEMORY_MAX   (2ull << 30)
#define STACK_MAX    (8u << 20)
#define CPU_MAX	     600 /* limit on CPU time, in seconds, for the whole life of the process */
#define FILES_MAX    128
#define SIZE_MAX_OUT (512u << 20) /* size limit for files that the process writes, in bytes */
#define NOBODY	     65534

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_SHADOW_MEMORY
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAVE_SHADOW_MEMORY
#endif

static void close_all_but(int sock)
{
	struct rlimit files;

	if (sock != SOCKET)
		dup2(sock, SOCKET);
	for (int fd = 0; fd < SOCKET; fd++)
		close(fd);
	if (!syscall(SYS_close_range, SOCKET + 1, ~0u, 0))
		return;
	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > 1 << 20)
		files.rlim_cur = 1 << 20;
	for (unsigned fd = SOCKET + 1; fd < files.rlim_cur; fd++)
		close(fd);
}

static void limit(int what, rlim_t max)
{
	struct rlimit l;

	if (!getrlimit(what, &l) && l.rlim_max < max)
		max = l.rlim_max;
	l.rlim_cur = l.rlim_max = max;
	setrlimit(what, &l);
}

static void set_limits(void)
{
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_STACK, STACK_MAX);
	limit(RLIMIT_CPU, CPU_MAX);
	limit(RLIMIT_NOFILE, FILES_MAX);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_FSIZE, SIZE_MAX_OUT);
#ifndef HAVE_SHADOW_MEMORY
	limit(RLIMIT_AS, MEMORY_MAX);
#endif
}

/*
 * Drops all privileges. Ignores errors: a call fails if the process does not have the privilege
 * that the call would drop, or if the user namespace does not map NOBODY.
 */
static void drop_privileges(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {0};

	if (!geteuid()) {
		setgroups(0, NULL);
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
			errno = 0; /* ignored, see above */
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	syscall(SYS_capset, &head, none);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/*
 * Loads the lower 32 bits of an argument. They contain all flags of the arguments that the filter
 * tests.
 */
#define LOAD_ARG(n)                                                                                \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                                         \
		 offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW	     RETURN(SECCOMP_RET_ALLOW)
#define REFUSE	     RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW_NR(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), ALLOW
/* Allows the call if none of `bits` is set in the argument `arg`. Otherwise refuses the call. */
#define ALLOW_WITHOUT(nr, arg, bits)                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4), LOAD_ARG(arg),                              \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), REFUSE, ALLOW
/* Allows the call if the argument `arg` is equal to `value`. Otherwise refuses the call. */
#define ALLOW_WITH(nr, arg, value)                                                                 \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4), LOAD_ARG(arg),                              \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), REFUSE, ALLOW

/*
 * Sends SIGSYS, which on_stat() handles, if the argument `arg` is equal to `value`. Otherwise
 * refuses the call.
 */
#define TRAP_WITH(nr, arg, value)                                                                  \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4), LOAD_ARG(arg),                              \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), REFUSE, RETURN(SECCOMP_RET_TRAP)

/*
 * Handles SIGSYS: calls fstat in place of newfstatat. C libraries implement fstat(fd, &st) as
 * newfstatat(fd, "", &st, AT_EMPTY_PATH). A seccomp filter cannot check whether the path is empty,
 * so newfstatat itself is never executed.
 */
static void on_stat(int sig attr_unused, siginfo_t *info attr_unused, void *context)
{
	const char *path = (const char *)(uintptr_t)own_syscall_arg(context, 1);
	const int saved = errno;

	errno = EPERM;
	if (!*path && !syscall(SYS_fstat, own_syscall_arg(context, 0), own_syscall_arg(context, 2)))
		errno = 0;
	own_syscall_return(context, -errno);
	errno = saved;
}

static bool handle_stat(void)
{
	struct sigaction action = {.sa_sigaction = on_stat, .sa_flags = SA_SIGINFO | SA_NODEFER};

	return !sigaction(SIGSYS, &action, NULL);
}

/*
 * Installs the seccomp filter. Calls that the filter refuses fail with EPERM. The libraries in this
 * process work without these calls. Returns false on failure.
 */
static bool filter_calls(void)
{
	struct sock_filter code[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, abi_native()->audit, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		ALLOW_NR(SYS_read),
		ALLOW_NR(SYS_pread64),
		ALLOW_NR(SYS_write),
		ALLOW_NR(SYS_recvmsg),
		ALLOW_NR(SYS_sendmsg),
		ALLOW_NR(SYS_lseek),
		ALLOW_NR(SYS_close),
		ALLOW_NR(SYS_fstat),
		ALLOW_NR(SYS_brk),
		ALLOW_NR(SYS_munmap),
		ALLOW_NR(SYS_madvise),
		ALLOW_NR(SYS_futex),
		ALLOW_NR(SYS_getrandom),
		ALLOW_NR(SYS_clock_gettime),
		ALLOW_NR(SYS_setitimer),
		ALLOW_NR(SYS_sched_yield),
		ALLOW_NR(SYS_rt_sigaction),
		ALLOW_NR(SYS_rt_sigprocmask),
		ALLOW_NR(SYS_rt_sigreturn),
		ALLOW_NR(SYS_sigaltstack),
		ALLOW_NR(SYS_exit),
		ALLOW_NR(SYS_exit_group),
		ALLOW_WITHOUT(SYS_mmap, 2, PROT_EXEC),
		ALLOW_WITHOUT(SYS_mprotect, 2, PROT_EXEC),
		ALLOW_NR(SYS_mremap),
		TRAP_WITH(SYS_newfstatat, 3, AT_EMPTY_PATH),
		ALLOW_WITH(SYS_fcntl, 1, F_GETFD),
		REFUSE,
	};
	struct sock_fprog program = {ARRAY_SIZE(code), code};

	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int namer_confine(int sock)
{
	sigset_t none;

	/* Signals from the terminal must reach only tracer. */
	setsid();
	prctl(PR_SET_NAME, "tracer-namer", 0, 0, 0);
	close_all_but(sock);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	set_limits();
	drop_privileges();
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    !handle_stat() || !filter_calls())
		return -1;
	return SOCKET;
}
