/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options of sockets, and requests of interfaces. */
#include "calls.h"

int main(void)
{
	calls_run(/* a number; bytes; a length that is none */
		  "setsockopt 5 1 2 m:(d1) 4\n"
		  "setsockopt 5 6 13 s:cubic 5\n"
		  "setsockopt 5 6 1 m:(d1) -1\n"
		  "setsockopt 5 6 1 p:40 -1\n"
		  "setsockopt 5 1 2 m:(d1) 3\n"
		  "setsockopt 5 1 13 m:(d1,d2) 8\n"
		  "getsockopt 5 1 4 m:(d11) m:(d4)\n"
		  "getsockopt 5 1 17 m:(d1,d2,d3) m:(d12)\n"
		  "getsockopt 5 1 17 m:(d1,d2) m:(d6)\n"
		  "getsockopt 5 6 1 m:(d1) m:(d0)\n"
		  "getsockopt 5 6 1 m:(d1) m:(d-1)\n"
		  /* membership */
		  "setsockopt 5 0 35 m:(d0x010000e0,d0) 8\n"
		  "setsockopt 5 41 20 m:(q0x2ff,q1,d9999) 20\n"
		  "setsockopt 5 263 1 m:(d9999,h1,h0,q0) 16\n"
		  "setsockopt 5 263 1 m:(d9999,h0,h6,b1,b2,b3,b4,b5,b6,h0) 16\n"
		  "getsockopt 5 270 9 m:(d1,d-1,d3) m:(d9)\n"
		  "getsockopt 5 270 10 m:(d1) m:(d1)\n"
		  /* filters, keys, groups */
		  "setsockopt 5 255 1 m:(d0xfffffff6) 4\n"
		  "setsockopt 5 255 1 m:(b9) 1\n"
		  "setsockopt 5 271 127 m:(d2) 4\n"
		  "setsockopt 5 271 127 m:(d2) 3\n"
		  "setsockopt 5 271 128 m:(d1) 0\n"
		  "setsockopt 5 271 135 m:(d1,d2,d3,d7) 16\n"
		  "setsockopt 5 6 38 m:(h2,h0,d0x0100007f,*15q0,thmac,*60b0,d9999,d3,h0,"
		  "b24,b1,b2,b12,b1,b2,b65,b66,*78b0) 288\n"
		  "setsockopt 5 6 38 m:(h2) 2\n"
		  /* levels */
		  "setsockopt 5 40 0 m:(q1) 8\n"
		  "setsockopt 5 101 2 m:(d1) 4\n"
		  "setsockopt 5 256 1 m:(d1) 4\n"
		  "setsockopt 5 266 5 m:(d1) 4\n"
		  "setsockopt 5 268 9 m:(d1) 4\n"
		  "setsockopt 5 275 4 m:(d1) 4\n"
		  "setsockopt 5 280 1 m:(d1) 4\n"
		  "setsockopt 5 287 1 m:(d1) 4\n"
		  "setsockopt 5 999 1 m:(d1) 4\n"
		  /* interfaces */
		  "ioctl 5 0x8912 m:(d0,d0,q0)\n"
		  "ioctl 5 0x8912 m:(d-1,d0,m:(q1))\n"
		  "ioctl 5 0x8913 m:(teth0,*12b0,h0x1001,*22b0)\n"
		  "ioctl 5 0x8913 m:(teth0,*12b0,h0x1001)\n"
		  "ioctl 5 0x8922 m:(*16b0x41,d1500,*20b0)\n"
		  "ioctl 5 0x8924 m:(teth0,*12b0,h1,b1,b2,b3,b4,b5,b6,*16b0)\n"
		  "ioctl 5 0x89a0 s:bridge_with_a_long_name\n"
		  "ioctl 5 0x89a2 m:(tbr0,*13b0,d9999,*20b0)\n"
		  "ioctl 5 0x40107446 m:(d1)\n");
}
