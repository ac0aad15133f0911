/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wake/actions.h"

#include "linux/syscall_desc.h"
#include "util/mem.h"

/*
 * The calls that can wait, end a wait of another thread, or connect descriptors (socketpair,
 * epoll_ctl), each with its value of enum action.
 */
#define CALLS(X)                                                                                   \
	X(read, READS)                                                                             \
	X(readv, READS)                                                                            \
	X(recv, READS)                                                                             \
	X(recvfrom, READS)                                                                         \
	X(recvmsg, READS)                                                                          \
	X(recvmmsg, READS)                                                                         \
	X(write, WRITES)                                                                           \
	X(writev, WRITES)                                                                          \
	X(send, WRITES)                                                                            \
	X(sendto, WRITES)                                                                          \
	X(sendmsg, WRITES)                                                                         \
	X(sendmmsg, WRITES)                                                                        \
	X(sendfile, WRITES)                                                                        \
	X(close, CLOSES)                                                                           \
	X(shutdown, CLOSES)                                                                        \
	X(poll, POLLS)                                                                             \
	X(ppoll, POLLS)                                                                            \
	X(select, SELECTS)                                                                         \
	X(pselect6, SELECTS)                                                                       \
	X(epoll_wait, EPOLL_WAITS)                                                                 \
	X(epoll_pwait, EPOLL_WAITS)                                                                \
	X(epoll_pwait2, EPOLL_WAITS)                                                               \
	X(epoll_ctl, EPOLL_CTL)                                                                    \
	X(accept, ACCEPTS)                                                                         \
	X(accept4, ACCEPTS)                                                                        \
	X(connect, CONNECTS)                                                                       \
	X(socketpair, PAIRS)                                                                       \
	X(futex, FUTEX)                                                                            \
	X(wait4, REAPS)                                                                            \
	X(waitid, REAPS_INFO)                                                                      \
	X(vfork, CREATES)                                                                          \
	X(clone, CREATES)                                                                          \
	X(clone3, CREATES)                                                                         \
	X(nanosleep, SLEEPS)                                                                       \
	X(clock_nanosleep, SLEEPS)                                                                 \
	X(pause, SUSPENDS)                                                                         \
	X(rt_sigsuspend, SUSPENDS)                                                                 \
	X(rt_sigtimedwait, SUSPENDS)                                                               \
	X(kill, KILLS)                                                                             \
	X(tkill, KILLS)                                                                            \
	X(rt_sigqueueinfo, KILLS)                                                                  \
	X(tgkill, KILLS_THREAD)                                                                    \
	X(rt_tgsigqueueinfo, KILLS_THREAD)                                                         \
	X(exit, EXITS)                                                                             \
	X(exit_group, EXITS)                                                                       \
	X(execve, EXECS)                                                                           \
	X(execveat, EXECS)                                                                         \
	X(flock, FLOCK)                                                                            \
	X(fcntl, FCNTL)                                                                            \
	X(fcntl64, FCNTL)                                                                          \
	X(io_uring_enter, COMPLETES)

#define NAME(call, action) #call ","
const char wake_calls[] = CALLS(NAME) "restart_syscall";
#undef NAME

uint8_t *actions_create(void)
{
	static const struct {
		int row;
		enum action action;
	} calls[] = {
#define ROW(call, action) {ROW_##call, action},
		CALLS(ROW)
#undef ROW
	};
	uint8_t *actions = mem_zalloc(syscall_desc_count);

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		actions[calls[i].row] = (uint8_t)calls[i].action;
	return actions;
}
