/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers beside what has a name, lengths beside what is there, halves of registers that no one
 * looks at. */
#include "calls.h"

int main(void)
{
	calls_run(
		/* Vectors of a negative number; data of a negative length. */
		"io_submit 1 1 m:(qm:(q1,d0,d0,h7,h0,d3,q0xb7ff,q1,q5,q0,d0,d0))\n"
		"io_submit 1 1 m:(qm:(q1,d0,d0,h7,h0,d3,q0xb7ff,q-1,q5,q0,d0,d0))\n"
		"io_submit 1 1 m:(qm:(q1,d0,d0,h8,h0,d3,q0,q-2,q5,q0,d0,d0))\n"
		"io_submit 1 1 m:(qm:(q1,d0,d0,h1,h0,d3,qs:a,q-2,q5,q0,d0,d0))\n"
		/* Sizes and values that lie in an argument that is not wholly readable. */
		"capset m:(d0x20080522) m:(*9d3)\n"
		"keyctl 27 m:(d1,d2,d3,*6d0) 0 s:abc s:def\n"
		"keyctl 28 m:(d1,d2,d3,*6d0) 0 s:abc s:def\n"
		/* What is there of an array, of a struct without its padding. */
		"pipe m:(d1)\n"
		"pipe2 m:(d1,h0) 0\n"
		"quotactl 0x80000800 s:a 5 m:(*17d1)\n"
		"quotactl 0x80000800 s:a 5 m:(*16d1)\n"
		/* Names of numbers that have 32 bits, and that have 64. */
		"getsid 5\n"
		"getpgid 5\n"
		"getpgrp\n"
		"ioctl 1 0x8004b706 5\n"
		"ioctl 1 0x8004b709 5\n"
		"prctl 50 0xffffffff000a0020\n"
		"prctl 63 0x20000020005\n"
		"prctl 35 0xffffffff00000008 1 2 3\n"
		"socketpair 1 1 0xffffffff00000001 p:8\n"
		"ioctl 1 0x40309410 m:(q0,q0xffffffff,*20q0)\n"
		"ioctl 1 0x40309410 m:(q0,q-1,*20q0)\n"
		"statfs s:a m:(q0xbd00bd1,*30q0)\n"
		"statfs s:a m:(q0xffffffff958458f6,*30q0)\n"
		"statmount m:(d24,d0,q1,q2) m:(d512,d0,q2,*12d0,q0x100001,*55q0) 512 0\n"
		/* A control is told by its class, if need be. */
		"ioctl 1 0xc008561c m:(d0x980111,d0)\n"
		"ioctl 1 0xc008561c m:(d0xa50000,d0)\n"
		"ioctl 1 0xc008561c m:(d0xa60000,d0)\n"
		"ioctl 1 0xc008561c m:(d0x980916,d0)\n"
		"ioctl 1 0xc008561c m:(d0x9909fa,d0)\n"
		"ioctl 1 0xc0445624 m:(d0x80980111,*20d0)\n"
		"ioctl 1 0xc02c5625 m:(d0x980111,*20d0)\n"
		"ioctl 1 0xc0205648 m:(d0x980000,d1,d0,d0,d0,d0,qm:(d0x980111,*21d0),*20d0)\n"
		/* Effects of force feedback. */
		"ioctl 1 0x40304580 m:(h0x50,*23h3)\n"
		"ioctl 1 0x40304580 m:(h0x51,*23h0xfff3)\n"
		"ioctl 1 0x40304580 m:(h0x52,*23h0xfff3)\n"
		"ioctl 1 0x40304580 m:(h0x53,*23h3)\n"
		"ioctl 1 0x40304580 m:(h0x57,*23h0xfff3)\n"
		/* Hardware without addresses. */
		"ioctl 1 0x8927 m:(teth0,*12b0,h256,*14b5,*8b0)\n"
		"ioctl 1 0x8924 m:(teth0,*12b0,h826,*14b5,*8b0)\n"
		/* Options of IPVS, the flows of RDS; requests of a few devices. */
		"setsockopt 1 0 0x48f 0 0\n"
		"setsockopt 1 276 0x2712 0 0\n"
		"getsockopt 1 0 0x487 0 0\n"
		"ioctl 1 0x400446dd 1\n"
		"ioctl 1 0x4008c001 1\n"
		"ioctl 1 0x8028c003 1\n"
		"ioctl 1 0xc030ce02 1\n"
		"ioctl 1 0x80246110 1\n"
		"ioctl 1 0xc108ec01 1\n"
		"ioctl 1 0x802a550a 1\n"
		/* Strings that end with their memory. */
		"prctl 15 u:abcdefghijklmno\n"
		"prctl 15 u:abcdefghijklmn\n"
		"prctl 16 u:abcdefghijklmnop\n"
		"ioctl 1 0x89a0 u:abcdefghijklmnop\n"
		"listns m:(d32,d0,q-1,d0,d0,q-1) 0 0 0\n"
		"fsconfig 1 1 m:(*256b112) u:value 0\n"
		"memfd_create m:(*250b112) 0\n"
		"reboot 0xfee1dead 0x28121969 0xa1b2c3d4 m:(*255b112)\n"
		/* More groups than there can be. */
		"getgroups 9 p:36\n"
		/* A file that stays as it is. */
		"io_uring_register 1 6 m:(d0,d0,qm:(d-2,d5,d-1)) 3\n"
		"io_uring_register 1 14 m:(d3,d0,qm:(d-2,d5,d-1),q0,d3,d0) 32\n");
}
