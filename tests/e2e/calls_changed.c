/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Syscalls whose buffers -e inject= changes before they return; see calls_changed.args. */
#include "calls.h"

int main(void)
{
	calls_run("ioctl -1 0x4b66 m:(h2,h0,d0,qp:8)\n"
		  "ioctl -1 0xc008240a m:(d3,d2,d1,d2)\n"
		  "ioctl -1 0xc008561c m:(d0x980900,d5,q0)\n"
		  "ioctl -1 0xc0145608 m:(d4,d1,d1,d0,d0)\n"
		  "ioctl -1 0xc018aa3f m:(q0xaa,q1,q0)\n"
		  "ioctl -1 0xc0445624 m:(d0x80980111,*20d0)\n"
		  "ioctl -1 0xc0e85667 m:(d0x80980900,*57d0)\n"
		  "ioctl -1 0xc048ff0b m:(q0x11,*64b0)\n"
		  "ioctl -1 0x4b72 m:(d0,d1,d8,d16,d1,d0,qp:32)\n"
		  "ioctl -1 0x4b72 m:(d1,d1,d8,d16,d1,d0,qp:32)\n"
		  "ioctl -1 0x4b72 m:(d2,d1,d8,d16,d1,d0,qs:name)\n"
		  "process_vm_readv 1 m:(q0,q0) 1 m:(q0,q3) 1 0\n"
		  "io_getevents 0 1 1 p:32 m:(q1,q2)\n"
		  "io_pgetevents 0 1 1 p:32 m:(q1,q2) m:(q0,q8)\n"
		  "io_uring_register -1 36 m:(d1,d0,q0,q0,*6q0) 1\n"
		  "io_uring_register -1 36 m:(d1,d1,q0,q0,d5,*11d0) 1\n"
		  "reboot 0xfee1dead 0x28121969 0xa1b2c3d4 s:hello\n"
		  "ppoll m:(*31q0x000100017fffffff) 31 m:(q1,q2) 0 8\n"
		  "bpf 20 m:(d1,d2,d3,d8,qs:abcdefgh,*5q0) 64\n");
}
