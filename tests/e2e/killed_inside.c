/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A process that is killed inside a call: what only the exit would have shown is missing. */
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static struct pollfd fds[] = {{.fd = 5, .events = POLLIN}};
static long delay[2] = {9, 0};
static int len[] = {16};

static void call(long nr, long a, long b, long c, long d, long e, long f)
{
	/* -e inject= in killed_inside.args kills it at the call's entry. */
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
	CALL(0x40000000 + SYS_readv, -1, 0, 0, 0, 0, 0); /* x32 has another readv */
	return 0;
}
