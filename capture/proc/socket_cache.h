/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was once found out about sockets, by inode, which identifies a socket in the whole machine.
 * As in strace 7.2, a socket is shown so as long as it is there, also if its peer is gone.
 */
#ifndef TRACER_CAPTURE_PROC_SOCKET_CACHE_H
#define TRACER_CAPTURE_PROC_SOCKET_CACHE_H

#include "capture/facts.h"

struct socket_cache;

/* Never NULL; socket_cache_destroy() frees it. */
struct socket_cache *socket_cache_create(void);
void socket_cache_destroy(struct socket_cache *c);

/* What was put in for the inode, valid until the next socket_cache_put(); NULL: nothing. */
const struct socket_fact *socket_cache_find(const struct socket_cache *c, uint64_t inode);
/*
 * Remembers what is known of a socket and returns it, as socket_cache_find() does. A socket of
 * AF_UNIX may get an address or a peer at any time: NULL if it has neither.
 */
const struct socket_fact *socket_cache_put(struct socket_cache *c, uint64_t inode,
					   const struct socket_fact *fact);

#endif
