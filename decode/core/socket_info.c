/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/socket_info.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* The protocols that have a text, by the name that the kernel gives them in its struct proto. */
static const struct socket_protocol {
	const char *name;
	const char *shown; /* once its address is known; before that it is a mere socket */
} protocols[] = {
	{"TCP", NULL},		 {"TCPv6", NULL},	{"UDP", NULL},	     {"UDPv6", NULL},
	{"UDP-Lite", "UDPLITE"}, {"UDPLITEv6", NULL},	{"MPTCP", "TCP"},    {"MPTCPv6", "TCPv6"},
	{"UNIX", NULL},		 {"UNIX-STREAM", NULL}, {"NETLINK", NULL},   {"SCTP", NULL},
	{"SCTPv6", NULL},	 {"RAW", NULL},		{"RAWv6", NULL},     {"PING", NULL},
	{"PINGv6", NULL},	 {"L2TP/IP", NULL},	{"L2TP/IPv6", NULL},
};

static const struct socket_protocol *protocol_of(const struct decoder *d, int fd)
{
	char name[64];

	if (!fact_fd_protocol(d->facts, d->tid, fd, name, sizeof(name)))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (!strcmp(name, protocols[i].name))
			return &protocols[i];
	return NULL;
}

static bool link_inode(const char *link, unsigned long *inode)
{
	return sscanf(link, "socket:[%lu]", inode) == 1;
}

/* "1.2.3.4:5", "[::1]:5" */
static const char *inet_address(struct decoder *d, int family, const uint8_t *address,
				unsigned port)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(family, address, text, sizeof(text));
	return arena_printf(d->arena, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

static struct value *inet_detail(struct decoder *d, const char *name, const struct socket_fact *s)
{
	static const uint8_t nowhere[16];
	const char *own = inet_address(d, s->family, s->address, s->port);

	if (!s->peer_port && !memcmp(s->peer, nowhere, s->family == AF_INET6 ? 16 : 4))
		return value_plain(d->arena, arena_printf(d->arena, "%s:[%s]", name, own));
	return value_plain(d->arena,
			   arena_printf(d->arena, "%s:[%s->%s]", name, own,
					inet_address(d, s->family, s->peer, s->peer_port)));
}

static struct value *netlink_detail(struct decoder *d, const char *name,
				    const struct socket_fact *s)
{
	const char *protocol = xlat_name(&xlat_netlink_protocols, s->protocol);

	return value_plain(
		d->arena,
		protocol ? arena_printf(d->arena, "%s:[%s:%u]", name, protocol + strlen("NETLINK_"),
					s->portid)
			 : arena_printf(d->arena, "%s:[%u:%u]", name, s->protocol, s->portid));
}

static struct value *unix_detail(struct decoder *d, const char *name, unsigned long inode,
				 const struct socket_fact *s)
{
	bool abstract = s->path_len > 1 && !s->path[0];
	size_t len = strnlen(s->path + abstract, s->path_len - abstract);
	const char *text =
		s->peer_inode ? arena_printf(d->arena, "%s:[%lu->%lu", name, inode, s->peer_inode)
			      : arena_printf(d->arena, "%s:[%lu", name, inode);
	struct value *v;

	if (!abstract && !len)
		return value_plain(d->arena, arena_printf(d->arena, "%s]", text));
	v = value_expr(d->arena, VALUE_OP_JOIN, inode);
	v->text |= TEXT_ALWAYS;
	value_add(v,
		  value_plain(d->arena, arena_printf(d->arena, abstract ? "%s,@" : "%s,", text)));
	value_add(v, value_string(d->arena, arena_strndup(d->arena, s->path + abstract, len), len));
	value_add(v, value_plain(d->arena, "]"));
	return v;
}

struct value *socket_detail(struct decoder *d, int fd, const char *link)
{
	const struct socket_protocol *p;
	struct socket_fact s;
	unsigned long inode;
	const char *name;

	if (!link_inode(link, &inode))
		return NULL;
	p = protocol_of(d, fd);
	if (!p)
		return NULL;
	name = p->shown ? p->shown : p->name;
	if (!fact_socket(d->facts, inode, p->name, &s))
		return p->shown ? NULL
				: value_plain(d->arena,
					      arena_printf(d->arena, "%s:[%lu]", name, inode));
	if (s.family == AF_UNIX)
		return unix_detail(d, name, inode, &s);
	return s.family == AF_NETLINK ? netlink_detail(d, name, &s) : inet_detail(d, name, &s);
}

bool socket_is_netlink(const struct decoder *d, int fd)
{
	const struct socket_protocol *p = protocol_of(d, fd);

	return p && !strcmp(p->name, "NETLINK");
}

int socket_netlink_protocol(const struct decoder *d, int fd)
{
	struct fact_answer path;
	struct socket_fact s;
	unsigned long inode;

	if (fact_fd_path(d->facts, d->tid, fd, &path) <= 0 || !link_inode(path.bytes, &inode))
		return -1;
	if (!fact_socket(d->facts, inode, "NETLINK", &s) || s.family != AF_NETLINK)
		return -1;
	return (int)s.protocol;
}
