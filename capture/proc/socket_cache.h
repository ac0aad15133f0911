/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache of data about sockets, indexed by inode. The inode of a socket is unique on the machine.
 * As in strace 7.2, cached data is shown as long as the socket exists, even if its peer is gone.
 */
#ifndef TRACER_CAPTURE_PROC_SOCKET_CACHE_H
#define TRACER_CAPTURE_PROC_SOCKET_CACHE_H

#include "capture/facts.h"

struct socket_cache;

/* Creates an empty cache. Never returns NULL. Free the result with socket_cache_destroy(). */
struct socket_cache *socket_cache_create(void);
void socket_cache_destroy(struct socket_cache *c);

/*
 * Returns the cached data for the inode, or NULL if there is none. The result is valid until the
 * next socket_cache_put().
 */
const struct socket_fact *socket_cache_find(const struct socket_cache *c, uint64_t inode);
/*
 * Stores the data about a socket and returns the stored copy, which is valid until the next call.
 * An AF_UNIX socket that has neither an address nor a peer may get them later. Such a socket is not
 * stored, and the result is NULL.
 */
const struct socket_fact *socket_cache_put(struct socket_cache *c, uint64_t inode,
					   const struct socket_fact *fact);

#endif
