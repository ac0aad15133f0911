/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests whose memory is another at their exit: calls_changed.args changes it. */
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
		  "ioctl -1 0xc048ff0b m:(q0x11,*64b0)\n");
}
