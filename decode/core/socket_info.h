/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of a tracee's sockets: the name of the protocol, and the addresses. */
#ifndef TRACER_DECODE_SOCKET_INFO_H
#define TRACER_DECODE_SOCKET_INFO_H

#include "decode/core/decode.h"

/*
 * "TCP:[127.0.0.1:80->127.0.0.1:1024]" for a descriptor whose path is link
 * ("socket:[INODE]"); NULL if it is no socket or of a protocol that is not told apart.
 */
struct value *socket_detail(struct decoder *d, int fd, const char *link);

/* fd is a netlink socket. */
bool socket_is_netlink(const struct decoder *d, int fd);
/* The protocol of a netlink socket, or -1: it is not bound, or not of our network namespace. */
int socket_netlink_protocol(const struct decoder *d, int fd);

#endif
