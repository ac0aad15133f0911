/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Addresses of every family, as long and as short as they come, and what socket(2) takes. */
#include "calls.h"

int main(void)
{
	calls_run(/* AF_UNIX: a path, one without an end, abstract ones */
		  "bind 5 m:(h1,t/a/path,b0,t/b) 12\n"
		  "bind 5 m:(h1,*126b0x61) 128\n"
		  "bind 5 m:(h1,b0,tabs,b0,ttract) 12\n"
		  "bind 5 m:(h1,b0) 3\n"
		  "bind 5 m:(h1) 2\n"
		  /* AF_INET, AF_INET6 */
		  "connect 5 m:(h2,h0x5000,d0x0100007f,q0) 16\n"
		  "connect 5 m:(h2,h0x5000,d0x0100007f) 8\n"
		  "connect 5 m:(h10,h0x5000,d1,q0x80fe,q1,d1) 28\n"
		  "connect 5 m:(h10,h0x5000,d1,q0,q1) 24\n"
		  "connect 5 m:(h10,h0x5000,d1,q0,q1,b7) 25\n"
		  /* AF_AX25: a station, none, an odd one, digipeaters */
		  "bind 5 m:(h3,b0x82,b0x62,*4b0x40,b6,*3b0,d0) 16\n"
		  "bind 5 m:(h3,*6b0x40,b0,*3b0,d0) 16\n"
		  "bind 5 m:(h3,b0xc2,*5b0x40,b0x20,*3b0,d0) 16\n"
		  "bind 5 m:(h3,b0x82,*5b0x40,b0,*3b0,d2,b0x84,*5b0x40,b2,b0) 24\n"
		  /* AF_IPX, AF_X25 */
		  "bind 5 m:(h4,h0x100,d0x02000000,b1,b2,b3,b4,b5,b0,b7,b0) 16\n"
		  "bind 5 m:(h9,t12345,*11b0) 18\n"
		  "bind 5 m:(h9,*16b0x39) 18\n"
		  /* AF_NETLINK, AF_PACKET */
		  "bind 5 m:(h16,h1,d5,d0x11) 12\n"
		  "bind 5 m:(h17,h0x300,d1,h1,b4,b6,b1,b2,b3,b4,b5,b6,h0) 20\n"
		  "bind 5 m:(h17,h0x300,d1,h1,b4,b9,q0) 20\n"
		  /* AF_TIPC: a range, a name, a socket, none of them */
		  "bind 5 m:(h30,b1,b2,d1,d2,d3) 16\n"
		  "bind 5 m:(h30,b2,b0xfd,d1,d2,d3) 16\n"
		  "bind 5 m:(h30,b3,b9,d1,d2,d3) 16\n"
		  "bind 5 m:(h30,b7,b0x80,d1,d2,d3) 16\n"
		  /* AF_BLUETOOTH: hci, sco, rc, l2 */
		  "bind 5 m:(h31,h7,h1) 6\n"
		  "bind 5 m:(h31,h7) 4\n"
		  "bind 5 m:(h31,b1,b2,b3,b4,b5,b6) 8\n"
		  "bind 5 m:(h31,b1,b2,b3,b4,b5,b6,b7,b0) 10\n"
		  "bind 5 m:(h31,h1,b1,b2,b3,b4,b5,b6,h0x45,b1,b0) 14\n"
		  "bind 5 m:(h31,h0x1003,b1,b2,b3,b4,b5,b6,h4) 12\n"
		  "bind 5 m:(h31,h1,h1,b1) 7\n"
		  /* AF_RXRPC over both, AF_IEEE802154, AF_ALG */
		  "bind 5 m:(h33,h1,h2,h16,h2,h0x5000,d0x0100007f,q0,*3d0) 36\n"
		  "bind 5 m:(h33,h2500,h2,h28,h10,h0x5000,d0,q0,q0,d0) 36\n"
		  "bind 5 m:(h33,h7,h5,h6,h1,d0x41424344,*3q0) 36\n"
		  "bind 5 m:(h36,h0,d2,h0xffff,h0xfffe,*3h0,h0) 20\n"
		  "bind 5 m:(h36,h0,d3,h1,q0x0807060504030201,h0) 20\n"
		  "bind 5 m:(h38,thash,*10b0,d0x1000,d1,tsha1,b0) 29\n"
		  /* AF_NFC, AF_VSOCK, AF_QIPCRTR, AF_XDP, AF_MCTP */
		  "bind 5 m:(h39,h0,d9999,d2,d5) 16\n"
		  "bind 5 m:(h39,h0,d9999,d2,d5,d0) 20\n"
		  "bind 5 m:(h39,h0,d9999,d2,d5,b4,b32,tsvc,*67b0,q2) 96\n"
		  "bind 5 m:(h40,h0,d1024,d2,b1,b0,b0,b0) 16\n"
		  "bind 5 m:(h40,h1,d-1,d3,b2,b1,b2,b3) 16\n"
		  "bind 5 m:(h42,h0,d-1,d-2) 12\n"
		  "bind 5 m:(h44,h0x19,d9999,d3,d5) 16\n"
		  "bind 5 m:(h44,h8,d9999,d3,d5) 16\n"
		  "bind 5 m:(h45,h0,d0,b255,b1,b8,b0) 12\n"
		  "bind 5 m:(h45,h1,d7,b8,b1,b8,b3) 12\n"
		  /* no family, no length, no memory */
		  "bind 5 m:(h99,t?) 3\n"
		  "bind 5 m:(b1) 1\n"
		  "bind 5 0 16\n"
		  "bind 5 m:(h2) 16\n"
		  "bind 5 m:(h2,d0) -1\n"
		  /* filled in; nothing where there was no room or no address */
		  "getsockname 5 m:(h2,h0x5000,d0x0100007f,q0) m:(d16)\n"
		  "getsockname 5 m:(h2,h0x5000,d0x0100007f,q0) m:(d7)\n"
		  "accept 5 0 m:(d16)\n"
		  "accept4 5 m:(h2) m:(d-1) 0x80800\n"
		  "recvfrom 5 u:hello 4 0x40 0 m:(d16)\n"
		  /* what sockets are made of */
		  "socket 2 0x80801 6\n"
		  "socket 3 5 0xcc\n"
		  "socket 17 3 0x300\n"
		  "socket 23 2 1\n"
		  "socket 23 2 99\n"
		  "socket 33 2 10\n"
		  "socket 34 3 0x21\n"
		  "socket 39 3 1\n"
		  "socket 41 2 0\n"
		  "socketpair 1 1 7 m:(d3,d4)\n"
		  "socketpair 1 9 0 m:(d3)\n"
		  "socketpair 1 1 0x100000002 m:(d3)\n");
}
