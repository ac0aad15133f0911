/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's data about sockets, from sock_diag(7). */
#ifndef TRACER_CAPTURE_PROC_SOCK_DIAG_H
#define TRACER_CAPTURE_PROC_SOCK_DIAG_H

#include "capture/facts.h"

struct socket_cache;

/*
 * What is known about the socket with that inode, valid until the next call; NULL if nothing is.
 * protocol is the kernel's name of its protocol, "TCPv6". What is in the cache is not asked again.
 */
const struct socket_fact *sock_diag_find(struct socket_cache *cache, unsigned long inode,
					 const char *protocol);

#endif
