/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asks the kernel for data about sockets, see sock_diag(7). */
#ifndef TRACER_CAPTURE_PROC_SOCK_DIAG_H
#define TRACER_CAPTURE_PROC_SOCK_DIAG_H

#include "capture/facts.h"

struct socket_cache;

/*
 * Returns the data about the socket with this inode. The result is valid until the next call.
 * Returns NULL if the protocol is unknown, if the kernel has no data, or if the socket is an
 * AF_UNIX socket with neither an address nor a peer. `protocol` is the kernel's name of the
 * socket's protocol, such as "TCPv6". If the socket is in the cache, the kernel is not asked again.
 */
const struct socket_fact *sock_diag_find(struct socket_cache *cache, unsigned long inode,
					 const char *protocol);

#endif
