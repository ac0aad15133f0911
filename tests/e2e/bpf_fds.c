/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of all kinds, each closed right after its use, so that tracer cannot look them up
 * later. The first argument selects a mode:
 *
 * - special: descriptors of devices and of objects without a name in a file system.
 * - sockets: sockets of several protocols.
 * - waits: poll(2) and select(2).
 * - messages: netlink messages.
 * - many FILE: poll(2) with 70 descriptors of FILE, which stay open until standard input has data.
 * - large FILE: writes of nearly 64 KiB. Then waits for standard input, like many.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define MANY 70

static void nameless(void)
{
	const uint64_t three = 3;
	sigset_t set;
	pid_t child;
	int fd;

	close(eventfd(17, EFD_SEMAPHORE));
	fd = eventfd(5, 0);
	if (write(fd, &three, sizeof(three)) < 0)
		exit(1);
	close(fd);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	close(signalfd(-1, &set, 0));
	close(timerfd_create(CLOCK_MONOTONIC, 0));
	close(epoll_create1(0));
	close(inotify_init());
	close(memfd_create("x", 0));
	close((int)syscall(SYS_pidfd_open, getpid(), 0));
	child = fork();
	if (!child)
		_exit(0);
	fd = (int)syscall(SYS_pidfd_open, child, 0);
	waitpid(child, NULL, 0);
	close(fd);
}

static void devices(void)
{
	char name[64];
	int fd;

	close(open("/dev/null", O_RDWR));
	fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	if (fd >= 0 && !unlockpt(fd) && !ptsname_r(fd, name, sizeof(name))) {
		int other = open(name, O_RDWR | O_NOCTTY);

		ioctl(other, TCGETS, NULL);
		close(other);
	}
	close(fd);
	if (mknod("node", S_IFCHR | 0600, 0x103))
		return;
	close(open("node", O_RDWR));
	fd = open("node", O_RDWR);
	unlink("node");
	close(fd);
}

static void try(int family, int type, int protocol)
{
	const struct sockaddr_in here = {AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr_in6 here6 = {AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	int fd = socket(family, type, protocol);

	if (fd < 0)
		return;
	if (family == AF_INET)
		bind(fd, (const struct sockaddr *)&here, sizeof(here));
	if (family == AF_INET6)
		bind(fd, (const struct sockaddr *)&here6, sizeof(here6));
	/* Before Linux 6.8, sock_diag(7) does not list UDP sockets that are only bound. */
	if (type == SOCK_STREAM)
		listen(fd, 1);
	close(dup(fd));
	close(fd);
}

static void sockets(void)
{
	static const int families[] = {AF_INET, AF_INET6};

	for (int i = 0; i < 2; i++) {
		try(families[i], SOCK_RAW, i ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
		try(families[i], SOCK_DGRAM, i ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
		try(families[i], SOCK_STREAM, 262); /* IPPROTO_MPTCP */
		try(families[i], SOCK_DGRAM, IPPROTO_UDPLITE);
		try(families[i], SOCK_STREAM, 0);
	}
	try(AF_PACKET, SOCK_RAW, 0);
	try(AF_VSOCK, SOCK_STREAM, 0);
	try(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	try(AF_UNIX, SOCK_DGRAM, 0);
}

/* Brings the loopback interface up, which is down in a new network namespace. */
static void loopback_up(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
}

static void waits(void)
{
	struct timespec now = {0};
	struct pollfd p[] = {{open("/dev/null", O_RDONLY), POLLIN, 0},
			     {eventfd(7, 0), POLLIN, 0},
			     {-1, 0, 0},
			     {open("/etc/passwd", O_RDONLY), POLLIN | POLLOUT, 0}};
	fd_set in, out;

	syscall(SYS_ppoll, p, 4, &now, NULL, 8);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(p[0].fd, &in);
	FD_SET(p[1].fd, &out);
	FD_SET(p[3].fd, &in);
	FD_SET(dup2(p[3].fd, 900), &out);
	syscall(SYS_pselect6, 901, &in, &out, NULL, &now, NULL);
	FD_ZERO(&in);
	FD_SET(p[1].fd, &in);
	syscall(SYS_pselect6, p[1].fd + 1, NULL, NULL, &in, &now, NULL);
#ifdef SYS_poll
	syscall(SYS_poll, p, 2, 0);
#endif
	for (int i = 0; i < 4; i++)
		close(p[i].fd);
	close(900);
}

/* Requests a list of network interfaces. */
static void messages(void)
{
	const struct sockaddr_nl kernel = {AF_NETLINK};
	struct {
		struct nlmsghdr head;
		struct rtgenmsg body;
	} request = {{sizeof(request), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {AF_UNSPEC}};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	char answer[8192];

	sendto(fd, &request, sizeof(request), 0, (const struct sockaddr *)&kernel, sizeof(kernel));
	recv(fd, answer, sizeof(answer), 0);
	close(fd);
}

static void many(const char *file)
{
	struct pollfd p[MANY];
	char c;

	for (int i = 0; i < MANY; i++)
		p[i] = (struct pollfd){open(file, O_RDONLY), POLLIN, 0};
	syscall(SYS_ppoll, p, MANY, NULL, NULL, 8);
	if (read(0, &c, 1) < 0)
		exit(1);
}

/*
 * Makes writes of almost 64 KiB. The size of a write determines whether its record has space for
 * the whole name of the file, for a part of the name, or for none of it.
 */
static void large(const char *file)
{
	static char buf[65536];
	int fd = open(file, O_WRONLY);

	for (size_t n = 64800; n <= 65536; n += 16)
		if (pwrite(fd, buf, n, 0) < 0)
			exit(1);
	if (read(0, buf, 1) < 0)
		exit(1);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "sockets"))
		loopback_up();
	trace_from_here();
	if (!strcmp(what, "special")) {
		nameless();
		devices();
	} else if (!strcmp(what, "sockets")) {
		sockets();
	} else if (!strcmp(what, "waits")) {
		waits();
	} else if (!strcmp(what, "messages")) {
		messages();
	} else if (!strcmp(what, "large")) {
		large(argc > 2 ? argv[2] : "");
	} else {
		many(argc > 2 ? argv[2] : "/dev/null");
	}
	return 0;
}
