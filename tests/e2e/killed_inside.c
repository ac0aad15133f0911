/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kills a process inside a syscall. Values that are known only at exit are missing. */
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static struct pollfd fds[] = {{.fd = 5, .events = POLLIN}};
static long delay[2] = {9, 0};
static int len[] = {16};
static int lists[64] = {1}, copied_font[16] = {3};
static struct clone_args plain_clone = {.exit_signal = SIGCHLD},
			 pidfd_clone = {.flags = CLONE_PIDFD, .exit_signal = SIGCHLD};

static void call(long nr, long a, long b, long c, long d, long e, long f)
{
	/* -e inject= in killed_inside.args kills the child at the entry of this syscall. */
	if (!fork()) {
		syscall(nr, a, b, c, d, e, f);
		_exit(0);
	}
	wait(NULL);
}

#define CALL(nr, a, b, c, d, e, f)                                                                 \
	call(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

int main(void)
{
	trace_from_here();
	CALL(SYS_readv, -1, 0, 0, 0, 0, 0);
	CALL(SYS_write, -1, "text", 4, 0, 0, 0);
	CALL(SYS_poll, fds, 1, -1, 0, 0, 0);
	CALL(SYS_select, 0, 0, 0, 0, 0, 0);
	CALL(SYS_nanosleep, delay, 0, 0, 0, 0, 0);
	CALL(SYS_pause, 0, 0, 0, 0, 0, 0);
	CALL(SYS_shmat, 1, 0, 0, 0, 0, 0);
	CALL(SYS_accept, -1, 0, 0, 0, 0, 0);
	CALL(SYS_accept, -1, fds, len, 0, 0, 0);
	CALL(SYS_recvfrom, -1, 0, 0, 0, 0, 0);
	CALL(SYS_personality, 0, 0, 0, 0, 0, 0);
	CALL(SYS_ustat, 0x801, 0, 0, 0, 0, 0);
	CALL(SYS_rt_sigtimedwait, 0, 0, delay, 8, 0, 0);
	CALL(SYS_rt_sigtimedwait, 0, fds, delay, 8, 0, 0);
	CALL(SYS_clone3, &plain_clone, sizeof(plain_clone), 0, 0, 0, 0);
	CALL(SYS_clone3, &pidfd_clone, sizeof(pidfd_clone), 0, 0, 0, 0);
	CALL(SYS_getxattr, "/", "user.x", 0, 0, 0, 0);
	CALL(SYS_getxattr, "/", "user.x", 0, 5, 0, 0);
	CALL(464 /* getxattrat */, -100, "/", 0, "user.x", 0, 0);
	CALL(SYS_name_to_handle_at, -1, "/", 0, 0, 0, 0);
	CALL(SYS_semctl, 0, 0, IPC_STAT, 0, 0, 0);
	CALL(SYS_shmctl, 0, IPC_STAT, 0, 0, 0, 0);
	CALL(SYS_bpf, 0, 0, 0, 0, 0, 0);
	CALL(SYS_get_thread_area, 0, 0, 0, 0, 0, 0);
	CALL(SYS_keyctl, 27, 0, 0, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0x80ff4506, 0, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0xdeadbeef, 0, 0, 0, 0);
	CALL(SYS_ptrace, PTRACE_PEEKUSER, 0, 8, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0x8912 /* SIOCGIFCONF */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0xc008240a /* PERF_EVENT_IOC_QUERY_BPF */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0xc0502100 /* SECCOMP_IOCTL_NOTIF_RECV */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0xc02c5625 /* VIDIOC_QUERYMENU */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0xc0cc5616 /* VIDIOC_S_PARM */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0x40383d03 /* PTP_PEROUT_REQUEST */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0x4b72 /* KDFONTOP */, lists, 0, 0, 0);
	CALL(SYS_ioctl, -1, 0x4b72 /* KDFONTOP */, &copied_font, 0, 0, 0);
	CALL(SYS_io_uring_register, -1, 19 /* IOWQ_MAX_WORKERS */, lists, 2, 0, 0);
	CALL(SYS_io_uring_register, -1, 36 /* ZCRX_CTRL */, lists, 1, 0, 0);
	CALL(0x40000000 + SYS_readv, -1, 0, 0, 0, 0, 0); /* x32 has a different readv */
	return 0;
}
