/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/fd_paths.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "capture/bpf/records.h"
#include "capture/facts.h"

/* Of linux/magic.h, which may be older than the kernel. */
#define MAGIC_ANON_INODES 0x09041934
#define MAGIC_HUGETLB	  0x958458f6
#define MAGIC_PIDS	  0x50494446
#define MAGIC_PIPES	  0x50495045
#define MAGIC_TMP	  0x01021994

#define DELETED " (deleted)" /* proc_pid_fd(5) */

/* The path is text; of a deleted file, its name is all but the last part. */
static bool set_path(struct fact_answer *a, const char *text, bool deleted)
{
	const size_t len = strlen(text);

	fact_set_bytes(a, text, len);
	fact_add_number(a, (int64_t)(deleted ? len - strlen(DELETED) : len));
	return true;
}

static bool set_numbered(struct fact_answer *a, const char *what, uint64_t inode)
{
	char text[64];

	snprintf(text, sizeof(text), "%s:[%llu]", what, (unsigned long long)inode);
	return set_path(a, text, false);
}

/* Where the last name of names begins that ends at *end, which becomes its beginning. */
static const char *last_name(const char *names, const char **end)
{
	const char *p = *end - 1;

	while (p > names && p[-1])
		p--;
	*end = p;
	return p;
}

/* The names come from the last one to the first one below the root. */
static bool join(struct fact_answer *a, const char *names, const char *end, bool deleted)
{
	char text[PATH_MAX + sizeof(DELETED)];
	size_t n = 0;

	if (names == end)
		return set_path(a, "/", false);
	while (end > names) {
		const char *name = last_name(names, &end);
		const size_t len = strlen(name);

		if (n + 1 + len >= PATH_MAX)
			return false;
		text[n++] = '/';
		memcpy(text + n, name, len);
		n += len;
	}
	memcpy(text + n, deleted ? DELETED : "", deleted ? sizeof(DELETED) : 1);
	return set_path(a, text, deleted);
}

/* Where the names begin that are in n bytes; NULL if there is no head, or less than it says. */
static const char *names_in(const void *bytes, size_t n)
{
	const struct fd_head *h = bytes;

	if (n < sizeof(*h) || n - sizeof(*h) < h->socket.path_len)
		return NULL;
	return (const char *)(h + 1) + h->socket.path_len;
}

bool fd_path_answer(const void *bytes, size_t n, struct fact_answer *a)
{
	const struct fd_head *h = bytes;
	const char *names = names_in(bytes, n), *end = (const char *)bytes + n;
	char text[PATH_MAX + sizeof(DELETED)];

	if (!names || (names < end && end[-1]))
		return false;
	if (!h->dname)
		return join(a, names, end, !h->hashed && names < end);
	switch (h->magic) {
	case MAGIC_PIPES:
		return set_numbered(a, "pipe", h->inode);
	case MAGIC_SOCKETS:
		return set_numbered(a, "socket", h->inode);
	case MAGIC_PIDS:
		return set_path(a, "anon_inode:[pidfd]", false);
	case MAGIC_ANON_INODES:
		if (names == end)
			return false;
		snprintf(text, sizeof(text), "anon_inode:%s", names);
		return set_path(a, text, false);
	case MAGIC_TMP:
	case MAGIC_HUGETLB:
		if (names == end)
			return false;
		snprintf(text, sizeof(text), "/%.*s%s", NAME_MAX, names, DELETED);
		return set_path(a, text, true);
	default:
		return false;
	}
}

/* The name that the kernel has for the protocol of a socket, of *len bytes; NULL: it is none. */
static const char *protocol_in(const void *bytes, size_t n, size_t *len)
{
	const struct fd_head *h = bytes;
	const char *names = names_in(bytes, n);

	if (!names || h->magic != MAGIC_SOCKETS)
		return NULL;
	*len = strnlen(names, (size_t)((const char *)bytes + n - names));
	return names;
}

bool fd_protocol_answer(const void *bytes, size_t n, struct fact_answer *a)
{
	size_t len;
	const char *name = protocol_in(bytes, n, &len);

	if (!name || !len)
		return false;
	fact_set_bytes(a, name, len);
	return true;
}

/* What there is to tell of an address; all zero: it has none yet, or not any more. */
static struct socket_fact socket_in(const struct fd_head *h)
{
	const struct fd_socket *s = &h->socket;
	struct socket_fact f = {0};

	switch (s->family) {
	case AF_NETLINK:
		f.protocol = s->port;
		memcpy(&f.portid, s->address, sizeof(f.portid));
		f.family = f.portid ? AF_NETLINK : 0;
		break;
	case AF_UNIX:
		f.family = AF_UNIX;
		f.peer_inode = s->peer_inode;
		f.path_len = size_min(s->path_len, sizeof(f.path));
		memcpy(f.path, h + 1, f.path_len);
		break;
	default:
		f.family = s->port ? s->family : 0;
		f.port = s->port;
		f.peer_port = ntohs(s->peer_port);
		memcpy(f.address, s->address, sizeof(f.address));
		memcpy(f.peer, s->peer, sizeof(f.peer));
	}
	return f;
}

bool fd_socket_answer(const void *bytes, size_t n, uint64_t inode, struct socket_fact *f)
{
	const struct fd_head *h = bytes;
	size_t len;
	const char *protocol = protocol_in(bytes, n, &len);

	if (!protocol || h->inode != inode || !h->socket.family)
		return false;
	if ((h->socket.family == AF_INET || h->socket.family == AF_INET6) &&
	    (len < 3 || (memcmp(protocol, "TCP", 3) && memcmp(protocol, "UDP", 3))))
		return false;
	*f = socket_in(h);
	return true;
}
