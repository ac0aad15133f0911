/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages, one and several, with what controls them; and all that they hold, byte by byte. */
#include "calls.h"

#define MSG(name, namelen, iov, iovlen, ctl, ctllen, flags)                                        \
	"q" #name ",d" #namelen ",d0,q" iov ",q" #iovlen ",q" ctl ",q" #ctllen ",d" #flags ",d0"
#define HELLO		  "m:(qu:hello,q5)"
#define CONTROL(n, items) "m:(" MSG(0, 0, HELLO, 1, "m:(" items ")", n, 0) ")"
#define BOTH(n, items)                                                                             \
	"sendmsg 5 " CONTROL(n, items) " 0x40\n"                                                   \
				       "recvmsg 5 " CONTROL(n, items) " 0\n"

int main(void)
{
	calls_run(/* control messages */
		  BOTH(24, "q24,d1,d1,d0,d1") BOTH(28, "q28,d1,d2,d1,d2,d3")
			  BOTH(20, "q20,d1,d3,tabc,b0") BOTH(32, "q32,d1,d63,q1,q-1")
				  BOTH(64, "q64,d1,d37,q1,q2,q3,q4,q5,q6")
					  BOTH(28, "q28,d0,d8,d9999,d0x0100007f,d0x0200007f")
						  BOTH(20, "q20,d0,d52,d6")
							  BOTH(20, "q20,d0,d52,d999")
								  BOTH(17, "q17,d41,d67,b7")
		  /* a length too short, one too long, and too little room for a header */
		  BOTH(40, "q7,d1,d1,d0,d1,q16,d9,d9") BOTH(24, "q4096,d1,d1,d0,d1")
			  BOTH(32, "q20,d1,d1,d0,d0,q1") BOTH(15, "q16,d1,h0,b0")
				  BOTH(16, "q16,d99,d99")
		  /* names and vectors */
		  "sendmsg 5 m:(qm:(h2,h0x5000,d0x0100007f,q0),d16,d0,q" HELLO ",q1,q0,q0,q0) 0\n"
		  "recvmsg 5 m:(qm:(h2,h0x5000,d0x0100007f,q0),d16,d0,q" HELLO ",q1,q0,q0,q0) 0\n"
		  "sendmsg 5 m:(qm:(h2,q0),d-1,d0,q0,q0,q0,q0,q0) 0\n"
		  "recvmsg 5 m:(qm:(h2,q0),d-1,d0,q0,q0,q0,q0,q0) 0\n"
		  "sendmsg 5 m:(q0,q0,q" HELLO ",q-1,q0,q0,q0) 0\n"
		  "sendmsg 5 m:(q0,q0) 0\n"
		  /* several; more than there was room for */
		  "sendmmsg 5 m:(" MSG(0, 0, HELLO, 1, "0", 0, 0) ",q5," MSG(
			  0, 0, HELLO, 1, "0", 0,
			  0) ",q4) 2 0\n"
			     "recvmmsg 5 m:(" MSG(0, 0, HELLO, 1, "0", 0, 0) ",q5," MSG(
				     0, 0, HELLO, 1, "0", 0,
				     0) ",q4) 2 0 m:(q1,q2)\n"
					"recvmmsg 5 m:(" MSG(0, 0, HELLO, 1, "0", 0, 0) ",q5," MSG(
						0, 0, HELLO, 1, "0", 0,
						0) ",q4) 1 0 0\n"
						   "recvmmsg 5 m:(" MSG(
							   0, 0, HELLO, 1, "0", 0,
							   0) ",q5) 0 0 0\n"
							      "recvmmsg 5 0 1 0 0\n"
							      /* data that is not all there */
							      "sendto 5 u:hello 5 0 0 0\n"
							      "sendto 5 u:hello 7 0 0 0\n");
}
