/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers that -X writes in ways of their own. */
#include "calls.h"

int main(void)
{
	calls_run(
		"bind 5 m:(h4,h0x100,d0x02000000,b1,b2,b3,b4,b5,b0,b7,b0) 16\n"
		"io_submit 5 1 m:(qm:(q0,d0,d4,h2,h0x4005,d3,q0,q0,q0,q0,d2,d0))\n"
		/* NLMSG_ERROR, of a message and of an error without a name */
		"sendmsg 5 m:(qm:(h16,h0,d0,d0),q12,qm:(qm:(d36,h2,h0,d1,d0,d-2,d16,h16,h0,d1,d0),"
		"q36,qm:(d36,h2,h0,d1,d0,d-7000,d16,h16,h0,d1,d0),q36),q2,q0,q0,q0) 0\n"
		/* NLMSG_DONE whose number is not all there */
		"sendmsg 5 m:(qm:(h16,h0,d0,d0),q12,qm:(qm:(d20,h3,h0,d1,d0,h1),q20),q1,q0,q0,q0) "
		"0\n");
}
