/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of netlink protocols and their attributes; none of them is carried out. */
#include <linux/netlink.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "e2e.h"

static unsigned char packet[512];
static size_t at;

static void put(const void *bytes, size_t n)
{
	memcpy(packet + at, bytes, n);
	at += (n + 3) / 4 * 4;
}

static void header(unsigned short type, unsigned short flags)
{
	struct nlmsghdr h = {.nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = 1};

	memset(packet, 0, sizeof(packet));
	at = 0;
	put(&h, sizeof(h));
}

static void attr(unsigned short type, const void *bytes, unsigned short n)
{
	struct nlattr a = {.nla_len = NLA_HDRLEN + n, .nla_type = type};

	put(&a, sizeof(a));
	put(bytes, n);
}

static void transmit(int fd)
{
	struct nlmsghdr h;

	memcpy(&h, packet, sizeof(h));
	h.nlmsg_len = at;
	memcpy(packet, &h, sizeof(h));
	sendto(fd, packet, at, 0, NULL, 0);
}

/* The same message, to an address of that family, or none. */
static void transmit_to(int fd, sa_family_t family)
{
	struct sockaddr_nl to = {.nl_family = family};
	struct iovec iov = {packet, at};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

	if (family) {
		m.msg_name = &to;
		m.msg_namelen = sizeof(to);
	}
	sendmsg(fd, &m, 0);
}

static int netlink(int protocol)
{
	struct sockaddr_nl a = {.nl_family = AF_NETLINK};
	int fd = socket(AF_NETLINK, SOCK_RAW, protocol);

	bind(fd, (struct sockaddr *)&a, sizeof(a));
	return fd;
}

int main(void)
{
	int route = netlink(NETLINK_ROUTE), diag = netlink(NETLINK_SOCK_DIAG),
	    generic = netlink(NETLINK_GENERIC), uevent = netlink(NETLINK_KOBJECT_UEVENT),
	    netfilter = netlink(NETLINK_NETFILTER);
	char *page = mmap((void *)0x10000000, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	trace_from_here();
	header(16, 0x305); /* RTM_NEWLINK */
	put("\0\0\1\0\0\0\0\0\1\0\0\0\1\0\0\0", 16);
	attr(1, "\1\2\3\4\5\6\7\10\11", 9);
	attr(3, "dummy0", 7);
	attr(0x8000 | 18, "\13\0\1\0bridge\0\0\14\0\2\0\5\0\27\0\1\0\0\0", 24);
	transmit(route);
	header(24, 5); /* RTM_NEWROUTE */
	put("\2\30\0\0\376\3\0\1\0\0\0\0", 12);
	attr(9, "\10\0\0\2\0\0\0\0\14\0\0\1\0\0\0\0\4\0\1\0", 20);
	attr(31, "\0\0\1\2", 4);
	transmit(route);
	header(49, 0x301); /* RTM_DELACTION */
	put("\0\0\0\0", 4);
	transmit(route);
	header(2, 0x200); /* NLMSG_ERROR */
	put("\352\377\377\377\20\0\0\0\20\0\5\0\1\0\0\0\0\0\0\0", 20);
	attr(1, "no", 3);
	attr(3, "\1\2", 2);
	transmit(route);
	header(20, 0x301); /* SOCK_DIAG_BY_FAMILY */
	put("\2\6\0\0\2\0\0\0\0\120\0\0\1\2\3\4", 16);
	put("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 40);
	attr(1, "\7\10\30\0\2\40\0\0\120\0\0\0\177\0\0\1", 16);
	transmit(diag);
	header(16, 5); /* nlctrl */
	put("\3\1\0\0", 4);
	attr(2, "nlctrl", 7);
	attr(8, "\24\0\5\0\20\0\1\0\10\0\1\0\4\0\0\0\4\0\2\0", 20);
	transmit(generic);
	/* whose messages these are: the address says it, or else the descriptor */
	transmit_to(generic, 0);
	transmit_to(generic, AF_NETLINK);
	transmit_to(generic, AF_INET);
	transmit_to(-1, 0);
	transmit_to(-1, AF_NETLINK);
	/* of udevd, and of the kernel */
	memcpy(packet, "libudev\0\376\355\312\376\50\0\0\0\50\0\0\0\13\0\0\0\1\2\3\4\5\6\7\10", 32);
	memcpy(packet + 32, "\0\0\0\0\0\0\0\1ACTION=add", 19);
	sendto(uevent, packet, 51, 0, NULL, 0);
	sendto(uevent, packet, 40, 0, NULL, 0);
	sendto(uevent, packet, 39, 0, NULL, 0);
	sendto(uevent, packet + 40, 11, 0, NULL, 0);
	header(30, 0x301); /* RTM_GETNEIGH, of a bridge, and of another family */
	put("\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	attr(10, "\1\0\0\0", 4);
	transmit(route);
	packet[16] = AF_INET;
	transmit(route);
	/* a header of nfnetlink that is not all there */
	header(0x102, 1);
	packet[0] = 24;
	munmap(page + 4096, 4096);
	memcpy(page + 4096 - 18, packet, 18);
	sendto(netfilter, page + 4096 - 18, 24, 0, NULL, 0);
	/* less than a header behind it, with -s 1 as well */
	header(1, 0);
	packet[0] = 16;
	sendto(route, packet, 17, 0, NULL, 0);
	/* the next one where nothing can be; one longer than 32 bits can count */
	memcpy(packet, "\0\0\0\1", 4);
	sendto(route, packet, -1, 0, NULL, 0);
	memcpy(packet, "\377\377\377\377", 4);
	sendto(route, packet, -1, 0, NULL, 0);
	return 0;
}
