/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of which options change more than most; calls_styles_*.c show them in other styles. */
#include "calls.h"

int main(void)
{
	calls_run(
		/* What -s shortens, and what it does not. */
		"setsockopt 5 1 2 m:(d1,d2,d3) 12\n"
		"setsockopt 5 263 1 m:(d9999,h1,h0,q0) 16\n"
		"ioctl -1 0x1277 m:(q4096,q512)\n"
		"ioctl -1 0x40084503 m:(d1,d2)\n"
		"ioctl -1 0xc138fd00 m:(d4,d0,d0,d300,*37q0)\n"
		"ioctl -1 0x2284 m:(d0x101)\n"
		"pipe m:(d1,d2)\n"
		"io_uring_register -1 19 m:(d1,d2) 2\n"
		"io_uring_register -1 35 m:(qm:(q0,*4q0),*4q0) 0\n"
		"sendmsg 5 m:(q0,d0,d0,q0,q0,qm:(q64,d1,d37,q1,q2,q3,q4,q5,q6),q64,q0) 0\n"
		"sendmsg 5 m:(q0,d0,d0,q0,q0,qm:(q20,d0,d52,d6,d0),q20,q0) 0\n"
		"sendto 5 s:hello 5 0 0 0\n"
		/* What -X changes. */
		"futex 0x1000 5 1 2 0x2000 0x22123fff\n"
		"futex 0x1000 5 1 2 0x2000 0xf5123fff\n"
		"bind 5 m:(h4,h0x100,d0x2000000,b1,b2,b3,b4,b5,b0,b7,b0) 16\n"
		"io_submit 5 1 m:(qm:(q17,d7,d4,h1,h0x4004,d3,q0,q4,q-3,q0,d2,d9))\n"
		/* Arguments that are named by what they hold, or twice. */
		"times m:(q1,q2,q3,q4)\n"
		"get_thread_area m:(d5,d1,d2,d3)\n"
		"get_thread_area 0\n"
		"prctl 22 2 m:(q1,q0x1000)\n"
		"prctl 22 3 4 5 6\n"
		"prctl 33 0 1 2 3\n"
		"prctl 33 1 1 2 3\n"
		"prctl 47 2 5 6 7\n"
		"prctl 47 4 5 6 7\n"
		"prctl 62 0 7 1 m:(q7)\n"
		"prctl 62 1 7 1 m:(q7)\n"
		"prctl 0x53564d41 0 0x1000 0x2000 s:abc\n"
		"prctl 0x53564d41 1 0x1000 0x2000 3\n"
		"prctl 52 3\n"
		"prctl 50 0x60030\n"
		"prctl 50 0x30\n"
		"prctl 63 0x20000\n"
		"keyctl 27 0 0 1 2\n"
		"keyctl 25 m:(d1,d3,d4,*7d0) s:info u:abc p:4\n"
		"poll m:(d3,h1,h1) 1 0\n"
		"prctl 0x59616d61 -1\n"
		"mincore 0 0x100000000000 p:33\n"
		"ioctl -1 0x80189439 m:(q5,q5,q5)\n"
		"ioctl -1 0x304 m:(q1)\n"
		"ioctl -1 0x324 5\n"
		"ioctl -1 0x802c542a 0x1\n"
		"ioctl -1 0x402c542b 0x1\n"
		"ioctl -1 0x402c542c 0x1\n"
		"ioctl -1 0x40049409 5\n"
		"ioctl -1 0xc048b402 m:(d1,*17d0)\n");
}
