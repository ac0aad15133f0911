/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/socket_info.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/netlink_diag.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "decode/core/fd.h"

/* What sock_diag is asked for, by the name of the protocol (struct proto of the kernel). */
static const struct socket_protocol {
	const char *name;
	int family, protocol; /* -1: sock_diag does not tell of it */
	const char *shown;    /* once its address is known; before that it is a mere socket */
} protocols[] = {
	{"TCP", AF_INET, IPPROTO_TCP, NULL},
	{"TCPv6", AF_INET6, IPPROTO_TCP, NULL},
	{"UDP", AF_INET, IPPROTO_UDP, NULL},
	{"UDPv6", AF_INET6, IPPROTO_UDP, NULL},
	{"UDP-Lite", AF_INET, IPPROTO_UDPLITE, "UDPLITE"},
	{"UDPLITEv6", AF_INET6, IPPROTO_UDPLITE, NULL},
	{"MPTCP", AF_INET, IPPROTO_TCP, "TCP"},
	{"MPTCPv6", AF_INET6, IPPROTO_TCP, "TCPv6"},
	{"UNIX", AF_UNIX, 0, NULL},
	{"UNIX-STREAM", AF_UNIX, 0, NULL},
	{"NETLINK", AF_NETLINK, 0, NULL},
	{"SCTP", AF_INET, IPPROTO_SCTP, NULL},
	{"SCTPv6", AF_INET6, IPPROTO_SCTP, NULL},
	{"RAW", AF_INET, -1, NULL},
	{"RAWv6", AF_INET6, -1, NULL},
	{"PING", AF_INET, -1, NULL},
	{"PINGv6", AF_INET6, -1, NULL},
	{"L2TP/IP", AF_INET, -1, NULL},
	{"L2TP/IPv6", AF_INET6, -1, NULL},
};

/*
 * What is known of a socket. Inodes name sockets in the whole machine, so one table serves
 * whoever asks; a later socket with the same hash takes the place.
 */
struct socket_info {
	unsigned long inode;
	int netlink_protocol;
	char *addresses;    /* "1.2.3.4:5->6.7.8.9:10", or NULL */
	unsigned long peer; /* of a UNIX socket, or 0 */
	char *path;	    /* of a UNIX socket, or NULL; with an '@' where abstract */
};
#define SOCKET_CACHE_SIZE 1024
static struct socket_info cache[SOCKET_CACHE_SIZE];

static struct socket_info *cached(unsigned long inode)
{
	struct socket_info *s = &cache[inode % SOCKET_CACHE_SIZE];

	return s->inode == inode ? s : NULL;
}

static struct socket_info *remember(unsigned long inode)
{
	struct socket_info *s = &cache[inode % SOCKET_CACHE_SIZE];

	free(s->addresses);
	free(s->path);
	*s = (struct socket_info){.inode = inode, .netlink_protocol = -1};
	return s;
}

/* ---- one answer of the kernel: is it the socket that is looked for? ---- */
typedef struct socket_info *parse_fn(const void *data, size_t len, unsigned long inode);

static struct socket_info *parse_inet(const void *data, size_t len, unsigned long inode)
{
	char source[INET6_ADDRSTRLEN], dest[INET6_ADDRSTRLEN];
	const struct inet_diag_msg *m = data;
	static const uint8_t zero[16];
	struct socket_info *s;
	const char *open, *close;
	bool v6;

	if (len < sizeof(*m) || m->idiag_inode != inode ||
	    (m->idiag_family != AF_INET && m->idiag_family != AF_INET6))
		return NULL;
	v6 = m->idiag_family == AF_INET6;
	open = v6 ? "[" : "";
	close = v6 ? "]" : "";
	if (!inet_ntop(m->idiag_family, m->id.idiag_src, source, sizeof(source)) ||
	    !inet_ntop(m->idiag_family, m->id.idiag_dst, dest, sizeof(dest)))
		return NULL;
	s = remember(inode);
	if (m->id.idiag_dport || memcmp(m->id.idiag_dst, zero, v6 ? 16 : 4))
		s->addresses = mem_printf("%s%s%s:%u->%s%s%s:%u", open, source, close,
					  ntohs(m->id.idiag_sport), open, dest, close,
					  ntohs(m->id.idiag_dport));
	else
		s->addresses =
			mem_printf("%s%s%s:%u", open, source, close, ntohs(m->id.idiag_sport));
	return s;
}

static struct socket_info *parse_netlink(const void *data, size_t len, unsigned long inode)
{
	const struct netlink_diag_msg *m = data;
	struct socket_info *s;
	const char *name;

	if (len < sizeof(*m) || m->ndiag_ino != inode || m->ndiag_family != AF_NETLINK)
		return NULL;
	s = remember(inode);
	s->netlink_protocol = m->ndiag_protocol;
	name = xlat_name(&xlat_netlink_protocols, m->ndiag_protocol);
	if (name)
		s->addresses = mem_printf("%s:%u", name + strlen("NETLINK_"), m->ndiag_portid);
	else
		s->addresses = mem_printf("%u:%u", (unsigned)m->ndiag_protocol, m->ndiag_portid);
	return s;
}

static char *unix_path(const char *bytes, size_t len)
{
	char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];

	len = size_min(len, sizeof(path) - 1);
	memcpy(path, bytes, len);
	path[len] = 0;
	if (len && !path[0])
		path[0] = '@';
	return path[0] ? mem_strdup(path) : NULL;
}

static struct socket_info *parse_unix(const void *data, size_t len, unsigned long inode)
{
	const struct unix_diag_msg *m = data;
	struct socket_info *s;
	uint32_t peer = 0;
	char *path = NULL;
	size_t at = sizeof(*m);

	if (len < sizeof(*m) || m->udiag_ino != inode || m->udiag_family != AF_UNIX)
		return NULL;
	while (at + NLA_HDRLEN <= len) {
		const struct nlattr *a = (const void *)((const char *)data + at);
		size_t n = a->nla_len;

		if (n < NLA_HDRLEN || n > len - at)
			break;
		if (a->nla_type == UNIX_DIAG_NAME && !path)
			path = unix_path((const char *)(a + 1), n - NLA_HDRLEN);
		else if (a->nla_type == UNIX_DIAG_PEER && n - NLA_HDRLEN >= sizeof(peer))
			memcpy(&peer, a + 1, sizeof(peer));
		at += NLA_ALIGN(n);
	}
	/* It may get either at any time: only a socket that has one is worth remembering. */
	if (!peer && !path)
		return NULL;
	s = remember(inode);
	s->peer = peer;
	s->path = path;
	return s;
}

/* ---- the question ---- */

static struct socket_info *receive(int fd, unsigned long inode, parse_fn *parse)
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
			return NULL;
		for (; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			struct socket_info *s;

			if (h->nlmsg_type != SOCK_DIAG_BY_FAMILY)
				return NULL;
			s = parse(NLMSG_DATA(h), h->nlmsg_len - NLMSG_HDRLEN, inode);
			if (s)
				return s;
			if (!(h->nlmsg_flags & NLM_F_MULTI))
				return NULL;
		}
	}
}

static struct socket_info *ask(const void *request, size_t len, uint16_t flags, unsigned long inode,
			       parse_fn *parse)
{
	const struct timeval patience = {.tv_sec = 1};
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct {
		struct nlmsghdr h;
		char body[sizeof(struct inet_diag_req_v2)];
	} msg = {.h = {.nlmsg_len = NLMSG_HDRLEN + len,
		       .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		       .nlmsg_flags = NLM_F_REQUEST | flags}};
	struct socket_info *s = NULL;
	int fd;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd < 0)
		return NULL;
	memcpy(msg.body, request, len);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (sendto(fd, &msg, msg.h.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof(kernel)) > 0)
		s = receive(fd, inode, parse);
	close(fd);
	return s;
}

static struct socket_info *look_up(const struct socket_protocol *p, unsigned long inode)
{
	struct socket_info *s = cached(inode);

	if (s || p->protocol < 0)
		return s;
	if (p->family == AF_UNIX) {
		struct unix_diag_req r = {.sdiag_family = AF_UNIX,
					  .udiag_states = -1,
					  .udiag_ino = inode,
					  .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
					  .udiag_cookie = {-1u, -1u}};

		return ask(&r, sizeof(r), 0, inode, parse_unix);
	}
	if (p->family == AF_NETLINK) {
		struct netlink_diag_req r = {.sdiag_family = AF_NETLINK,
					     .sdiag_protocol = NDIAG_PROTO_ALL};

		return ask(&r, sizeof(r), NLM_F_DUMP, inode, parse_netlink);
	} else {
		struct inet_diag_req_v2 r = {.sdiag_family = p->family,
					     .sdiag_protocol = p->protocol,
					     .idiag_states = -1};

		return ask(&r, sizeof(r), NLM_F_DUMP, inode, parse_inet);
	}
}

static const struct socket_protocol *protocol_of(const struct tcb *tcb, int fd)
{
	char path[64], name[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tcb->tid, fd);
	n = getxattr(path, "system.sockprotoname", name, sizeof(name) - 1);
	if (n <= 0)
		return NULL;
	name[n] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (!strcmp(name, protocols[i].name))
			return &protocols[i];
	return NULL;
}

static bool link_inode(const char *link, unsigned long *inode)
{
	return sscanf(link, "socket:[%lu]", inode) == 1;
}

struct value *socket_detail(struct decoder *d, int fd, const char *link)
{
	const struct socket_protocol *p;
	const struct socket_info *s;
	struct value *v, *path;
	unsigned long inode;
	const char *text, *name;

	if (!link_inode(link, &inode))
		return NULL;
	p = protocol_of(d->tcb, fd);
	if (!p)
		return NULL;
	name = p->shown ? p->shown : p->name;
	s = look_up(p, inode);
	if (!s)
		return p->shown ? NULL
				: value_plain(d->arena,
					      arena_printf(d->arena, "%s:[%lu]", name, inode));
	if (s->addresses)
		return value_plain(d->arena, arena_printf(d->arena, "%s:[%s]", name, s->addresses));
	text = s->peer ? arena_printf(d->arena, "%s:[%lu->%lu", name, inode, s->peer)
		       : arena_printf(d->arena, "%s:[%lu", name, inode);
	if (!s->path)
		return value_plain(d->arena, arena_printf(d->arena, "%s]", text));
	v = value_expr(d->arena, VALUE_OP_JOIN, inode);
	v->text |= TEXT_ALWAYS;
	path = value_string(d->arena, arena_strdup(d->arena, s->path), strlen(s->path));
	if (path->str[0] == '@') {
		path->str++;
		path->len--;
		text = arena_printf(d->arena, "%s,@", text);
	} else {
		text = arena_printf(d->arena, "%s,", text);
	}
	value_add(v, value_plain(d->arena, text));
	value_add(v, path);
	value_add(v, value_plain(d->arena, "]"));
	return v;
}

bool socket_is_netlink(const struct tcb *tcb, int fd)
{
	const struct socket_protocol *p = protocol_of(tcb, fd);

	return p && p->family == AF_NETLINK;
}

int socket_netlink_protocol(const struct tcb *tcb, int fd)
{
	const struct socket_protocol netlink = {.family = AF_NETLINK};
	const struct socket_info *s;
	unsigned long inode;
	char link[64];

	if (fd_path(tcb, fd, link, sizeof(link)) <= 0 || !link_inode(link, &inode))
		return -1;
	s = look_up(&netlink, inode);
	return s ? s->netlink_protocol : -1;
}
