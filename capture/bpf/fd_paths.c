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

bool fd_path_answer(const void *bytes, size_t n, struct fact_answer *a)
{
	const struct fd_head *h = bytes;
	const char *names = (const char *)(h + 1), *end = (const char *)bytes + n;
	char text[PATH_MAX + sizeof(DELETED)];

	if (n < sizeof(*h) || (names < end && end[-1]))
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

static bool is_socket(const struct fd_head *h, size_t n)
{
	return n >= sizeof(*h) && h->magic == MAGIC_SOCKETS;
}

bool fd_protocol_answer(const void *bytes, size_t n, struct fact_answer *a)
{
	const char *names = (const char *)bytes + sizeof(struct fd_head);
	const size_t len =
		n > sizeof(struct fd_head) ? strnlen(names, n - sizeof(struct fd_head)) : 0;

	if (!is_socket(bytes, n) || !len)
		return false;
	fact_set_bytes(a, names, len);
	return true;
}

static bool is_inet(const struct fd_socket *s, const char *protocol)
{
	return (s->family == AF_INET || s->family == AF_INET6) &&
	       (!strncmp(protocol, "TCP", 3) || !strncmp(protocol, "UDP", 3));
}

bool fd_socket_answer(const void *bytes, size_t n, uint64_t inode, const char *protocol,
		      struct fact_answer *a)
{
	const struct fd_head *h = bytes;
	uint8_t both[32];
	size_t half;

	if (!is_socket(h, n) || h->inode != inode || !is_inet(&h->socket, protocol))
		return false;
	/* It has no address yet, or not any more. */
	if (!h->socket.port) {
		a->error = -ENOENT;
		return true;
	}
	half = h->socket.family == AF_INET6 ? 16 : 4;
	memcpy(both, h->socket.address, half);
	memcpy(both + half, h->socket.peer, half);
	fact_add_number(a, h->socket.family);
	fact_add_number(a, h->socket.port);
	fact_add_number(a, ntohs(h->socket.peer_port));
	fact_set_bytes(a, (const char *)both, 2 * half);
	return true;
}
