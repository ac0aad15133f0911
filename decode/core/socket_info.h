/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Details of a tracee's sockets: the name of the protocol and the addresses. */
#ifndef TRACER_DECODE_CORE_SOCKET_INFO_H
#define TRACER_DECODE_CORE_SOCKET_INFO_H

#include "decode/core/decode.h"

/*
 * Returns the VALUE_SOCKET that -yy shows with a descriptor, such as
 * "TCP:[127.0.0.1:80->127.0.0.1:1024]". link is the descriptor's path, "socket:[INODE]". Returns
 * NULL if the descriptor is not a socket, if sockets of its protocol are not shown, or if they are
 * shown only with addresses (MPTCP, UDP-Lite over IPv4) and the addresses are unknown.
 */
struct value *socket_detail(struct decoder *d, int fd, const char *link);

/* Returns true if a descriptor of the tracee is a netlink socket. */
bool socket_is_netlink(const struct decoder *d, int fd);
/*
 * Returns the protocol of a netlink socket (NETLINK_* of <linux/netlink.h>), or -1 if it is
 * unknown, for example because the socket is not bound or belongs to another network namespace.
 */
int socket_netlink_protocol(const struct decoder *d, int fd);

#endif
