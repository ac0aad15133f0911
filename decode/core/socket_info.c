/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/socket_info.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/*
 * The protocols that are shown by name. They are identified by their names in the kernel's struct
 * proto.
 */
static const struct socket_protocol {
	const char *name;
	/*
	 * If not NULL, this name is shown instead of `name`, but nothing is shown if the socket's
	 * addresses are unknown.
	 */
	const char *shown;
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

static void add_inet(struct decoder *d, struct value *v, const struct socket_fact *s)
{
	static const uint8_t nowhere[16];
	const size_t size = s->family == AF_INET6 ? 16 : 4;

	value_add_named(v, "address", value_address(d->arena, s->family, s->address, size));
	value_add_named(v, "port", value_uint(d->arena, s->port));
	if (!s->peer_port && !memcmp(s->peer, nowhere, size))
		return;
	value_add_named(v, "peer_address", value_address(d->arena, s->family, s->peer, size));
	value_add_named(v, "peer_port", value_uint(d->arena, s->peer_port));
}

static void add_netlink(struct decoder *d, struct value *v, const struct socket_fact *s)
{
	value_add_named(v, "family", value_enum(d->arena, &xlat_netlink_protocols, s->protocol));
	value_add_named(v, "portid", value_uint(d->arena, s->portid));
}

static void add_unix(struct decoder *d, struct value *v, const struct socket_fact *s)
{
	bool abstract = s->path_len > 1 && !s->path[0];
	size_t len = strnlen(s->path + abstract, s->path_len - abstract) + abstract;
	struct value *path;

	if (s->peer_inode)
		value_add_named(v, "peer_inode", value_uint(d->arena, s->peer_inode));
	if (!len)
		return;
	path = value_string(d->arena, memcpy(arena_alloc(d->arena, len), s->path, len), len);
	path->text |= abstract ? TEXT_ABSTRACT : 0;
	value_add_named(v, "path", path);
}

struct value *socket_detail(struct decoder *d, int fd, const char *link)
{
	const struct socket_protocol *p;
	struct socket_fact s;
	unsigned long inode;
	struct value *v;

	if (!link_inode(link, &inode))
		return NULL;
	p = protocol_of(d, fd);
	if (!p)
		return NULL;
	if (!fact_socket(d->facts, inode, p->name, &s)) {
		if (p->shown)
			return NULL;
		s.family = AF_UNSPEC;
	}
	v = value_new(d->arena, VALUE_SOCKET, inode);
	value_add_named(v, "protocol", value_plain(d->arena, p->shown ? p->shown : p->name));
	value_add_named(v, "inode", value_uint(d->arena, inode));
	if (s.family == AF_INET || s.family == AF_INET6)
		add_inet(d, v, &s);
	else if (s.family == AF_NETLINK)
		add_netlink(d, v, &s);
	else if (s.family == AF_UNIX)
		add_unix(d, v, &s);
	return v;
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
