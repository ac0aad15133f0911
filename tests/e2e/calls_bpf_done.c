/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bpf(2) and its kin as if they succeeded, abbreviated: calls_bpf_done.args says so. */
#include "calls.h"

int main(void)
{
	calls_run("bpf 0 m:(d1,d4,d8,d16,d0,d3,d0,tname,d0) 36\n"
		  "bpf 5 m:(d1,d2,qm:(b0xb7,b0x21,h-1,d7),qs:GPL,d1,d4,qs:abcdef,d0x61207,d1) 48\n"
		  "bpf 11 m:(d1,d2,d3) 12\n"
		  "bpf 12 m:(d1) 4\n"
		  "bpf 15 m:(d-1,d40,q1) 16\n"
		  "bpf 16 m:(d3,d1,d1,d2,qm:(d1,d2),d2,d0,qm:(d1,d2),qm:(d3),qm:(d1,d2),q9) 64\n"
		  "bpf 16 m:(d3,d1,d1,d2,q1,d2,d0) 28\n"
		  "bpf 17 m:(qs:sys_enter,d3,d0,q1) 24\n"
		  "bpf 18 m:(qs:abc,q0,d4,d0,d0,d1,d0x10000,d3,q1) 48\n"
		  "bpf 20 m:(d1,d2,d0,d6,qs:hello,d1,d2,q3,q4) 48\n"
		  "bpf 24 m:(q0,q1,q2,q3,d4,d5,q6,q7,q1) 64\n"
		  "bpf 28 m:(d3,d4,d0,d0,d5) 20\n"
		  "bpf 37 m:(qs:text,d4,d1,d3) 20\n"
		  "bpf 0 1 40\n"
		  "seccomp 1 0 m:(h1,h0,d0,qm:(h0x20,b0,b0,d4))\n"
		  "seccomp 1 8 m:(h1,h0,d0,q0)\n"
		  "getsockopt 3 1 26 m:(h6,b0,b0,d5) m:(d1)\n"
		  "ptrace 0x420c 1 0 m:(h6,b0,b0,d5)\n"
		  "perf_event_open m:(d0,d0,q1,q2,q3,q1,q0,d5,d0,q7) 0 -1 -1 8\n"
		  "perf_event_open m:(d2,d144,q9,q2,q0,q0,q-1) 0 -1 -1 0\n"
		  "perf_event_open 1 0 -1 -1 0\n"
		  "ioctl 3 0x4008240b m:(d4,d64,*7q3)\n"
		  "ioctl 3 0xc008240a m:(d3,d2,d1,d2)\n"
		  "ioctl 3 0xc008240a m:(d3)\n"
		  "ioctl 3 0x80082407 m:(q5)\n"
		  "ioctl 3 0x40042409 0x100000001\n"
		  "statmount 0 m:(d522,d0,q0x409,d1,d2,q3,d0x11,d0,*8q0,d0,d0,q0,d0,d0,d2,d5,*47q0,"
		  "tabcd,b0,tef,b0,tg,b0) 600 0\n"
		  "statmount 0 m:(d522,d0,q0x409,d1,d2,q3,d0x11,d0) 40 0\n");
}
