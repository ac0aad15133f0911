/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls in colour. None of it is done: calls_colors.args. */
#include "calls.h"

int main(void)
{
	calls_run("futex 0x1000 5 1 2 0x2000 0xf5123fff\n"
		  "io_submit 5 1 m:(qm:(q17,d7,d4,h1,h0x4004,d3,q0,q4,q-3,q0,d2,d9))\n"
		  "select 5 m:(q8,*15q0) m:(q16,*15q0) 0 m:(q1,q5)\n"
		  "rt_sigprocmask 0 m:(q5) 0 8\n"
		  "sched_setaffinity 0 8 m:(q5)\n"
		  "fanotify_mark 7 1 0x20 -1 s:/tmp\n"
		  "utimensat -100 s:a m:(q0,q0x3fffffff,q0,q5)\n"
		  "mbind 0 4096 0x8002 m:(q5) 8 0\n"
		  "mbind 0 4096 2 m:(q5) 8 0\n"
		  "openat2 -100 s:a m:(q0,q0,q0,q1) 32\n"
		  "writev 1 m:(qs:ab,q2) 2\n"
		  "ioctl -1 0x40385624 m:(*7q0)\n"
		  "ioctl -1 0xc0408f00 0x1\n"
		  "ioctl -1 0x2285 m:(d83,*21d0)\n"
		  "ioctl -1 0x4b61 m:(*256h0xf041)\n"
		  "bpf 0 m:(*16d0,q-1) 72\n"
		  "add_key s:user s:desc u:payload 7 -1\n"
		  "futex 0x1000 0x189 5 m:(q1,q2) 0 -1\n"
		  "getsockopt 0 1 4 m:(d11) m:(d4)\n"
		  "ioctl -1 0x40049409 5\n"
		  "ioctl -1 0x5402 m:(d0x500,d5,d0x0fbf,d0x8a3b,*20b0)\n"
		  "ioprio_set 1 2 0x2004\n"
		  "lseek 0 0 0\n"
		  "perf_event_open m:(d3,d64,q0x010203,*48b0) 0 0 0 0\n"
		  "prctl 0x59616d61 -1\n"
		  "ptrace 3 7 9 0\n"
		  "rt_sigqueueinfo 1 17 m:(d17,d2,d2,d0,d7,d8,d9,d0,q205,q0,*80b0)\n"
		  "sched_setscheduler 1 0x40000001 m:(d5)\n"
		  "setsockopt -1 1 26 m:(h1,h0,d0,qm:(h0x20,b0,b0,d-4092)) 16\n"
		  "semctl 1 2 2 m:(*104b0)\n"
		  "shmctl 1 2 m:(*112b0)\n"
		  "shmget 0x1234 4096 0xffffffff\n");
}
