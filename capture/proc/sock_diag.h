/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel tells by sock_diag(7) about sockets. Asked in our own network namespace: of a
 * socket of another one nothing is known. What was found stays known by the socket's inode.
 */
#ifndef TRACER_CAPTURE_SOCK_DIAG_H
#define TRACER_CAPTURE_SOCK_DIAG_H

#include "capture/facts.h"

struct sock_diag;

struct sock_diag *sock_diag_create(void);
void sock_diag_destroy(struct sock_diag *s);

/*
 * What is known of the socket with that inode, valid until the next call; NULL: nothing. protocol
 * is the name that the kernel has for it (struct proto), "TCPv6".
 */
const struct socket_fact *sock_diag_find(struct sock_diag *s, unsigned long inode,
					 const char *protocol);

#endif
