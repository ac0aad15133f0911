/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel tells about sockets by sock_diag(7). Only sockets of our own network namespace
 * can be found. Answers are cached by the socket's inode.
 */
#ifndef TRACER_CAPTURE_PROC_SOCK_DIAG_H
#define TRACER_CAPTURE_PROC_SOCK_DIAG_H

#include "capture/facts.h"

struct sock_diag;

/* Never NULL; sock_diag_destroy() frees it. */
struct sock_diag *sock_diag_create(void);
void sock_diag_destroy(struct sock_diag *s);

/*
 * What is known about the socket with that inode, valid until the next call; NULL if nothing is.
 * protocol is the kernel's name of its protocol, "TCPv6".
 */
const struct socket_fact *sock_diag_find(struct sock_diag *s, unsigned long inode,
					 const char *protocol);

#endif
