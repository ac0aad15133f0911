/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* i386 syscalls from a 64-bit program. tracer injects the results of all these syscalls. */
#define CALLS_I386
#include <fcntl.h>

#include "calls.h"

int main(int argc, char **argv)
{
	(void)argv;
	/* Exit with status 0 only if the kernel supports i386 syscalls. */
	if (argc > 1) {
		const long none[6] = {0};

		call_make(20, none);
		return 0;
	}
	calls_run("socketcall 1 m:(d2,d0x80802,d17)\n"
		  "socketcall 9 m:(d3,du:hello,d5,d0x4040)\n"
		  "socketcall 10 m:(d3,du:hello,d5,d2)\n"
		  "socketcall 4 m:(d3,d128)\n"
		  "socketcall 17 m:(d3,dm:(d0,d0,du:abcd,d4,d0,d0,d0),d0)\n"
		  "socketcall 3 m:(d3,d0)\n"
		  "socketcall 33 m:(d3)\n"
		  "ipc 1 7 2 0 m:(h0,h1,h0x800,h1,h-1,h0x1000) 0\n"
		  "ipc 0x10004 7 1 0 m:(h0,h1,h0) m:(d5,d6)\n"
		  "ipc 2 0 3 01600\n"
		  "ipc 3 7 1 16 m:(d42)\n"
		  "ipc 3 7 0 0x102 m:(dm:(d1,d2,d3,d4,d5,d0600,*28b0,d100,d0,d200,d0,d3,d0,d0))\n"
		  "ipc 11 7 4 0x800 m:(d5,ttext)\n"
		  "ipc 12 7 4 0 m:(dm:(d5,ttext),d-3)\n"
		  "ipc 0x1000c 7 4 0 m:(d5,ttext) -3\n"
		  "ipc 14 7 0x102 0 "
		  "m:(d1,d2,d3,d4,d5,d0600,*12b0,d1,d0,d2,d0,d3,d0,d4,d5,d6,d7,d8,d0,d0)\n"
		  "ipc 21 7 0x1000 m:(d0x12345000) 0\n"
		  "ipc 22 0 0 0 0x12345000\n"
		  "ipc 24 7 0x102 0 "
		  "m:(d1,d2,d3,d4,d5,d0640,*12b0,d4096,d1,d0,d2,d0,d3,d0,d4,d5,d6,d0,d0)\n"
		  "ipc 0x20063 1 2 3 4 5\n"
		  "semctl 7 0 0x102 m:(d1,d2,d3,d4,d5,d0600,*12b0,d100,d0,d200,d0,d3,d0,d0)\n"
		  "mmap m:(d0,d4096,d3,d0x22,d-1,d0)\n"
		  "mmap 1\n"
		  "select m:(d3,d0,d0,d0,dm:(d1,d2))\n"
		  "readdir 3 m:(d7,d8,h12,tname,*4b0) 1\n"
		  "time m:(d0x80000001)\n"
		  "stime m:(d7)\n"
		  "times m:(d-1,d1,d100,d0)\n"
		  "signal 2 1\n"
		  "sigaction 2 m:(d0x1234,d2,d0x14000000,d0x5678) 0\n"
		  "sigprocmask 2 m:(d0x4000) 0\n"
		  "rt_sigprocmask 0 m:(q0x4003) 0 7\n"
		  "sysinfo m:(d-1,d1,d2,d3,d4,d5,d6,d7,d8,d9,h10,h0,d11,d12,d13,*8b0)\n"
		  "statfs64 s:/ 84 m:(d0x9fa0,d4096,q1,q2,q3,q4,q5,d6,d7,d255,d4096,d0x20,*16b0)\n"
		  "statfs64 s:/ 88 1\n"
		  "stat64 s:/ "
		  "m:(q8,d0,d9,d0100644,d1,d0,d0,q0,d0,q-1,d4096,q8,d1,d0,d2,d0,d3,d0,q9)\n"
		  "_llseek 3 1 2 m:(q-1) 0\n"
		  "pread64 3 u:abcd 4 0x90abcdef 0x12345678\n"
		  "ftruncate64 3 0x90abcdef 0x12345678\n"
		  "fadvise64_64 3 1 2 3 4 5\n"
		  "sync_file_range 3 1 2 3 4 7\n"
		  "fcntl 3 0 0xffffffff\n"
		  "fcntl64 3 6 m:(h1,h0,q1,q2,d0)\n"
		  "sendfile 3 4 m:(d0x80000001) 5\n"
		  "chown s:/ 0xffff 0x1ffff\n"
		  "io_submit 1 -1 0\n"
		  "getxattrat -100 s:/ 0 s:user.a m:(q0x100000001,d4,d0) 16\n"
		  "clone 0x190100 0x1000 m:(d7) m:(d-1,d0x1000,d0xfffff,d0x51) m:(d0)\n"
		  "clone3 m:(q0x80000,*6q0,qm:(d-1,d0x1000,d0xfffff,d0x51)) 64\n"
		  "clone3 m:(q0x80000,*6q0,q0x100001000) 64\n"
		  "set_thread_area m:(d-1,d0x1000,d0xfffff,d0x51)\n"
		  "ioctl 3 0x80041270 m:(d512)\n"
		  "ioctl 3 0x80081270 m:(d512)\n"
		  "ioctl 3 0x302 0\n"
		  /* 64-bit arguments, which a 32-bit program's registers cannot hold. */
		  "fsopen 0xf0000000000001 1\n"
		  "clock_settime64 0xf0000000000001 0xf0000000000001\n"
		  "setgroups 1 0xf0000000000001\n"
		  "accept4 3 m:(d0) 0xf0000000000001 0\n"
		  "_llseek 3 1 0xf000000000 m:(q5) 0\n"
		  "fstatfs64 3 0xf000000054 p:84\n"
		  "ppoll_time64 0 0 0 0xf0000000000001 -1\n"
		  "ulimit 0xf0000000000001 -1\n"
		  "ptrace 0x4212 5 88 m:(d1,d0,*9q0,d0)\n"
		  "ptrace 0x4212 5 88 m:(d1,d0,*10q0)\n"
		  "prctl 29 0xffffff51\n"
		  "stat s:a m:(d1,d2,h0x8180,h1,h0xffff,h0xffff,*13d0)\n"
		  /* Arguments whose upper half is significant. */
		  "prctl 33 0x100000001 2 3 4\n"
		  "mmap2 0 4096 3 0x22 -1 0x100000001\n");
}
