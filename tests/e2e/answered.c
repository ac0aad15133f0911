/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Syscalls that change memory and then fail, transfer nothing, or return results that no kernel
 * returns. A seccomp filter passes them to another process, which first changes the memory that it
 * shares with the caller.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "e2e.h"

#define SIZE 4096

static struct shared {
	volatile int listener;
	long result;
	unsigned char rest[SIZE - 2 * sizeof(long)];
	unsigned char after[SIZE];  /* contents of `memory` after a syscall */
	unsigned char memory[SIZE]; /* memory for the syscalls; the next page is unmapped */
} * shared;

static int answer(void *unused)
{
	struct seccomp_notif call;
	struct seccomp_notif_resp response;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (shared->listener < 0)
		sched_yield();
	for (;;) {
		memset(&call, 0, sizeof(call));
		memset(&response, 0, sizeof(response));
		if (ioctl(shared->listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			_exit(unused != NULL);
		memcpy(shared->memory, shared->after, SIZE);
		response.id = call.id;
		if (shared->result < 0)
			response.error = (int)shared->result;
		else
			response.val = shared->result;
		ioctl(shared->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	}
}

/*
 * Installs a filter that passes all syscalls to the other process, except those that end the
 * program. Returns the filter's listener, or -1 on failure.
 */
static int start(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	struct sock_fprog program = {4, filter};

	shared = mmap((void *)0x10000000, sizeof(*shared) + SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	munmap(shared + 1, SIZE);
	shared->listener = -1;
	if (clone(answer, stack + sizeof(stack), CLONE_FILES | SIGCHLD, NULL) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	shared->listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				   SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	return shared->listener;
}

static void make(long nr, long result, long a, long b, long c, long d, long e)
{
	shared->result = result;
	syscall(nr, a, b, c, d, e, 0L);
}

/* Sets bytes that a syscall reads but does not change. */
static void *both(size_t at, const void *bytes, size_t n)
{
	memcpy(shared->memory + at, bytes, n);
	memcpy(shared->after + at, bytes, n);
	return shared->memory + at;
}

static void lengths(void)
{
	int before = 24, after = 31;

	for (int result = -EINVAL; result <= 0; result += EINVAL) {
		memcpy(both(0, "\1\2\3\4\5\6\7", 8), "\1\0\0\0\0\0\0", 8);
		both(8, &before, sizeof(before));
		memcpy(shared->after + 8, &after, sizeof(after));
		make(SYS_getsockopt, result, 5, SOL_SOCKET, 999, (long)shared->memory,
		     (long)shared->memory + 8);
		both(8, &before, sizeof(before));
		memcpy(shared->after + 8, &after, sizeof(after));
		make(SYS_getsockname, result, 5, (long)shared->memory, (long)shared->memory + 8, 0,
		     0);
	}
}

static void offsets(void)
{
	static const long counts[] = {10, 10, 10, 0};
	static const long results[] = {7, 0, -EAGAIN, 7};
	long before = 100, after = 107;

	for (int i = 0; i < 4; i++) {
		both(0, &before, sizeof(before));
		memcpy(shared->after, &after, sizeof(after));
		make(SYS_sendfile, results[i], 5, 6, (long)shared->memory, counts[i], 0);
	}
}

static void params(void)
{
	struct io_uring_params p = {.flags = IORING_SETUP_CQSIZE, .cq_entries = 8};

	for (int result = -EINVAL; result <= 0; result += EINVAL) {
		both(0, &p, sizeof(p));
		memset(shared->after, 1, sizeof(p));
		make(425, result, 4, (long)shared->memory, 0, 0, 0); /* io_uring_setup */
	}
}

static void messages(void)
{
	struct mmsghdr m[2], left[2];
	const size_t at = SIZE - sizeof(m), iov_at = at - sizeof(struct iovec);
	struct iovec iov = {shared->memory, 5};
	unsigned char *vector = shared->memory + at, *buffers = shared->memory + iov_at;

	for (int result = -EAGAIN; result <= 2; result += EAGAIN + 1) {
		both(0, "hello\0\2\0\120\0\177\0\0\1\0\0\0\0\0\0\0", 22);
		both(iov_at, &iov, sizeof(iov));
		memset(m, 0, sizeof(m));
		m->msg_hdr.msg_name = shared->memory + 6;
		m->msg_hdr.msg_namelen = 16;
		m->msg_hdr.msg_iov = (void *)buffers;
		m->msg_hdr.msg_iovlen = 1;
		m->msg_len = 5;
		m[1] = m[0];
		memcpy(left, m, sizeof(left));
		left->msg_hdr.msg_namelen = 8;
		left->msg_hdr.msg_flags = MSG_TRUNC;
		left->msg_len = 3;
		for (int i = 0; i < 3; i++) {
			memcpy(vector, m, sizeof(m));
			memcpy(shared->after + at, left, sizeof(left));
			make(i == 0   ? SYS_recvmmsg
			     : i == 1 ? SYS_sendmmsg
				      : SYS_recvmsg,
			     result, 5, (long)vector, i < 2 ? 2 : 0, 0, 0);
		}
	}
	/*
	 * Nothing is dumped for an invalid descriptor, or for a vector that extends into unreadable
	 * memory.
	 */
	make(SYS_write, 3, -1, (long)shared->memory, 3, 0, 0);
	make(SYS_writev, 3, 5, (long)buffers, 1000, 0, 0);
	make(SYS_writev, 3, 5, (long)buffers, 0x100000001, 0, 0);
	make(SYS_readv, 3, 5, (long)buffers, 0x100000001, 0, 0);
}

int main(int argc, char **argv)
{
	if (start() < 0)
		return 1;
	if (argc == 1) {
		syscall(0xbeef, 0L, 0L, 0L, 0L, 0L, 0L);
		lengths();
		offsets();
		params();
		messages();
	}
	(void)argv;
	_exit(0);
}
