/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of a tracee's sockets: the name of their protocol, and their addresses. */
#ifndef TRACER_DECODE_CORE_SOCKET_INFO_H
#define TRACER_DECODE_CORE_SOCKET_INFO_H

#include "decode/core/decode.h"

/*
 * What -yy shows of a descriptor, a VALUE_SOCKET: "TCP:[127.0.0.1:80->127.0.0.1:1024]". link is
 * the descriptor's path, "socket:[INODE]". NULL if it is no socket, or of a protocol that has no
 * such text.
 */
struct value *socket_detail(struct decoder *d, int fd, const char *link);

/* Whether a descriptor of the tracee is a netlink socket. */
bool socket_is_netlink(const struct decoder *d, int fd);
/*
 * The protocol of a netlink socket, NETLINK_* of <linux/netlink.h>; -1 if it is not known: the
 * socket is not bound, or is of another network namespace than ours.
 */
int socket_netlink_protocol(const struct decoder *d, int fd);

#endif
