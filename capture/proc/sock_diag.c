/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/sock_diag.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/netlink_diag.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "capture/proc/socket_cache.h"

/*
 * The family and protocol that a request to sock_diag(7) must contain, for each protocol name of
 * the kernel.
 */
static const struct protocol {
	const char *name;
	int family, protocol;
} protocols[] = {
	{"TCP", AF_INET, IPPROTO_TCP},
	{"TCPv6", AF_INET6, IPPROTO_TCP},
	{"UDP", AF_INET, IPPROTO_UDP},
	{"UDPv6", AF_INET6, IPPROTO_UDP},
	{"UDP-Lite", AF_INET, IPPROTO_UDPLITE},
	{"UDPLITEv6", AF_INET6, IPPROTO_UDPLITE},
	{"MPTCP", AF_INET, IPPROTO_TCP},
	{"MPTCPv6", AF_INET6, IPPROTO_TCP},
	{"UNIX", AF_UNIX, 0},
	{"UNIX-STREAM", AF_UNIX, 0},
	{"NETLINK", AF_NETLINK, 0},
	{"SCTP", AF_INET, IPPROTO_SCTP},
	{"SCTPv6", AF_INET6, IPPROTO_SCTP},
};

/*
 * Parses one message of the kernel's answer. Returns true if it describes the socket with this
 * inode.
 */
typedef bool parse_fn(const void *data, size_t len, unsigned long inode, struct socket_fact *f);

static bool parse_inet(const void *data, size_t len, unsigned long inode, struct socket_fact *f)
{
	const struct inet_diag_msg *m = data;

	if (len < sizeof(*m) || m->idiag_inode != inode ||
	    (m->idiag_family != AF_INET && m->idiag_family != AF_INET6))
		return false;
	*f = (struct socket_fact){.family = m->idiag_family,
				  .port = ntohs(m->id.idiag_sport),
				  .peer_port = ntohs(m->id.idiag_dport)};
	memcpy(f->address, m->id.idiag_src, sizeof(f->address));
	memcpy(f->peer, m->id.idiag_dst, sizeof(f->peer));
	return true;
}

static bool parse_netlink(const void *data, size_t len, unsigned long inode, struct socket_fact *f)
{
	const struct netlink_diag_msg *m = data;

	if (len < sizeof(*m) || m->ndiag_ino != inode || m->ndiag_family != AF_NETLINK)
		return false;
	*f = (struct socket_fact){
		.family = AF_NETLINK, .protocol = m->ndiag_protocol, .portid = m->ndiag_portid};
	return true;
}

static bool parse_unix(const void *data, size_t len, unsigned long inode, struct socket_fact *f)
{
	const struct unix_diag_msg *m = data;
	uint32_t peer = 0;
	size_t at = sizeof(*m);

	if (len < sizeof(*m) || m->udiag_ino != inode || m->udiag_family != AF_UNIX)
		return false;
	*f = (struct socket_fact){.family = AF_UNIX};
	while (at + NLA_HDRLEN <= len) {
		const struct nlattr *a = (const void *)((const char *)data + at);
		size_t n = a->nla_len;

		if (n < NLA_HDRLEN || n > len - at)
			break;
		n -= NLA_HDRLEN;
		if (a->nla_type == UNIX_DIAG_NAME && !f->path_len) {
			f->path_len = size_min(n, sizeof(f->path));
			memcpy(f->path, a + 1, f->path_len);
		} else if (a->nla_type == UNIX_DIAG_PEER && n >= sizeof(peer)) {
			memcpy(&peer, a + 1, sizeof(peer));
		}
		at += NLA_ALIGN(a->nla_len);
	}
	f->peer_inode = peer;
	return true;
}

static bool receive(int fd, unsigned long inode, parse_fn *parse, struct socket_fact *f)
{
	union {
		struct nlmsghdr h;
		char bytes[32768];
	} buf;

	for (;;) {
		ssize_t n = recv(fd, &buf, sizeof(buf), 0);
		const struct nlmsghdr *h = &buf.h;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		for (; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type != SOCK_DIAG_BY_FAMILY)
				return false;
			if (parse(NLMSG_DATA(h), h->nlmsg_len - NLMSG_HDRLEN, inode, f))
				return true;
			if (!(h->nlmsg_flags & NLM_F_MULTI))
				return false;
		}
	}
}

static bool ask(const void *request, size_t len, uint16_t flags, unsigned long inode,
		parse_fn *parse, struct socket_fact *f)
{
	const struct timeval patience = {.tv_sec = 1};
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct {
		struct nlmsghdr h;
		char body[sizeof(struct inet_diag_req_v2)];
	} msg = {.h = {.nlmsg_len = NLMSG_HDRLEN + len,
		       .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		       .nlmsg_flags = NLM_F_REQUEST | flags}};
	bool found = false;
	int fd;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd < 0)
		return false;
	memcpy(msg.body, request, len);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (sendto(fd, &msg, msg.h.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof(kernel)) > 0)
		found = receive(fd, inode, parse, f);
	close(fd);
	return found;
}

static bool ask_for(const struct protocol *p, unsigned long inode, struct socket_fact *f)
{
	if (p->family == AF_UNIX) {
		struct unix_diag_req r = {.sdiag_family = AF_UNIX,
					  .udiag_states = -1,
					  .udiag_ino = inode,
					  .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
					  .udiag_cookie = {-1u, -1u}};

		return ask(&r, sizeof(r), 0, inode, parse_unix, f);
	}
	if (p->family == AF_NETLINK) {
		struct netlink_diag_req r = {.sdiag_family = AF_NETLINK,
					     .sdiag_protocol = NDIAG_PROTO_ALL};

		return ask(&r, sizeof(r), NLM_F_DUMP, inode, parse_netlink, f);
	} else {
		struct inet_diag_req_v2 r = {.sdiag_family = p->family,
					     .sdiag_protocol = p->protocol,
					     .idiag_states = -1};

		return ask(&r, sizeof(r), NLM_F_DUMP, inode, parse_inet, f);
	}
}

static const struct protocol *protocol_called(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (!strcmp(name, protocols[i].name))
			return &protocols[i];
	return NULL;
}

const struct socket_fact *sock_diag_find(struct socket_cache *cache, unsigned long inode,
					 const char *protocol)
{
	const struct protocol *p = protocol_called(protocol);
	const struct socket_fact *known;
	struct socket_fact f;

	if (!p || !inode)
		return NULL;
	known = socket_cache_find(cache, inode);
	if (known)
		return known;
	return ask_for(p, inode, &f) ? socket_cache_put(cache, inode, &f) : NULL;
}
