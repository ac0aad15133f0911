/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/socket_cache.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "util/mem.h"

/* The number of slots. A new socket replaces the previous socket in its slot. */
#define SOCKETS 1024

struct socket_cache {
	struct known {
		uint64_t inode; /* 0 if the slot is unused */
		struct socket_fact fact;
	} known[SOCKETS];
};

struct socket_cache *socket_cache_create(void)
{
	return mem_zalloc(sizeof(struct socket_cache));
}

void socket_cache_destroy(struct socket_cache *c)
{
	free(c);
}

const struct socket_fact *socket_cache_find(const struct socket_cache *c, uint64_t inode)
{
	const struct known *known = &c->known[inode % SOCKETS];

	return inode && known->inode == inode ? &known->fact : NULL;
}

const struct socket_fact *socket_cache_put(struct socket_cache *c, uint64_t inode,
					   const struct socket_fact *fact)
{
	struct known *known = &c->known[inode % SOCKETS];

	if (fact->family == AF_UNIX && !fact->peer_inode && !fact->path_len)
		return NULL;
	*known = (struct known){.inode = inode, .fact = *fact};
	return &known->fact;
}
