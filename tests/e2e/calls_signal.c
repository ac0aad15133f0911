/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals, timers and clocks. None of it is done: every call fails, as calls_signal.args says. */
#include "calls.h"

int main(void)
{
	calls_run("rt_sigaction 10 m:(q0x1000,q0x14000004,q0x2000,q0x200,*56b0) 0 8\n"
		  "rt_sigaction 10 m:(q1,q0,q0,q-1,*56b0) 1 8\n"
		  "rt_sigprocmask 0 m:(q5) 0 8\n"
		  "rt_sigprocmask 2 m:(q0x3ffffffffff) 0 8\n"
		  "rt_sigprocmask 2 m:(q5) 0 4\n"
		  "rt_sigprocmask 77 1 1 8\n"
		  "rt_sigtimedwait m:(q0x200) p:128 m:(q1,q2) 8\n"
		  "rt_sigqueueinfo 1 10 m:(d10,d0,d-1,d0,d7,d8,q9,*96b0)\n"
		  "rt_sigqueueinfo 1 17 m:(d17,d2,d2,d0,d7,d8,d9,d0,q205,q0,*80b0)\n"
		  "rt_sigqueueinfo 1 11 m:(d11,d0,d3,d0,q1,q0,q2,q3,*80b0)\n"
		  "rt_sigqueueinfo 1 31 m:(d31,d0,d1,d0,q1,d2,d0xc000003e,*96b0)\n"
		  "rt_tgsigqueueinfo 1 2 3 1\n"
		  "sigaltstack m:(q0x1000,d0x80000002,d0,q8192) 0\n"
		  "kill -1 34\n"
		  "tgkill 1 2 77\n"
		  "signalfd4 -1 m:(q0x200) 8 0x80800\n"
		  "setitimer 0 m:(q0,q1,q2,q3) 0\n"
		  "nanosleep m:(q1,q2) p:16\n"
		  "clock_nanosleep 1 1 m:(q1,q2) 1\n"
		  "clock_settime 99 m:(q1,q2)\n"
		  "timer_create 1 m:(q0x123456789,d10,d4,d7,*44b0) 0\n"
		  "timer_create 1 m:(q0,d-1,d77,*48b0) 0\n"
		  "timer_settime 1 1 m:(q1,q2,q3,q4) 0\n"
		  "timerfd_create 1 0x80800\n"
		  "timerfd_settime -1 3 m:(q1,q2,q3,q4) 0\n"
		  "settimeofday m:(q-1,q2) m:(d-5,d7)\n");
}
