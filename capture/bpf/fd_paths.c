/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/fd_paths.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "capture/bpf/records.h"
#include "capture/facts.h"

/* From linux/magic.h. The installed header may be older than the running kernel. */
#define MAGIC_HUGETLB 0x958458f6
#define MAGIC_PIPES   0x50495045
#define MAGIC_TMP     0x01021994

/* The kernel appends this to the path of a deleted file, see proc_pid_fd(5). */
#define DELETED " (deleted)"

/*
 * Stores a path as the answer. If `deleted` is set, the path must already end with DELETED. Always
 * returns true.
 */
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

/* Returns the last name that ends before *end, and sets *end to the name's start. */
static const char *last_name(const char *names, const char **end)
{
	const char *p = *end - 1;

	while (p > names && p[-1])
		p--;
	*end = p;
	return p;
}

/*
 * Joins the names between `names` and `end` to a path. The names are in reverse order: the last
 * name of the path comes first. Returns false if the path is too long.
 */
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

/* Returns the start of the names in the n bytes of a chunk, or NULL if the chunk is too short. */
static const char *names_in(const void *bytes, size_t n)
{
	const struct fd_head *h = bytes;

	if (n < sizeof(*h) || n - sizeof(*h) < h->path_len)
		return NULL;
	return (const char *)(h + 1) + h->path_len;
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

/*
 * Returns the kernel's name for the protocol of a socket, and sets *len to its length. Returns NULL
 * if the descriptor is not a socket.
 */
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

/* Returns the addresses of a socket. The member `family` is 0 if the socket has no address. */
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
		f.path_len = size_min(h->path_len, sizeof(f.path));
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

/* Returns true if sock_diag(7) reports the addresses of sockets of the protocol with this name. */
static bool has_addresses(const char *name, size_t len)
{
	static const char *const families[] = {"TCP", "UDP", "MPTCP", "NETLINK", "UNIX"};

	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (len >= strlen(families[i]) && !memcmp(name, families[i], strlen(families[i])))
			return true;
	return false;
}

bool fd_socket_answer(const void *bytes, size_t n, uint64_t inode, struct socket_fact *f)
{
	const struct fd_head *h = bytes;
	size_t len;
	const char *protocol = protocol_in(bytes, n, &len);

	if (!protocol || h->inode != inode || !h->socket.family)
		return false;
	/* An SCTP association has several addresses, but the BPF programs record only one. */
	if (len >= 4 && !memcmp(protocol, "SCTP", 4))
		return false;
	*f = has_addresses(protocol, len) ? socket_in(h) : (struct socket_fact){0};
	return true;
}

/* Returns true if the file is an anonymous inode with exactly this name. */
static bool is_called(const void *bytes, size_t n, const char *name)
{
	const struct fd_head *h = bytes;
	const char *names = names_in(bytes, n);
	const size_t size = strlen(name) + 1;

	return names && h->magic == MAGIC_ANON_INODES &&
	       n - (size_t)(names - (const char *)bytes) == size && !memcmp(names, name, size);
}

static uint64_t rdev_of(const struct fd_head *h)
{
	return makedev(h->rdev >> 20, h->rdev & ((1u << 20) - 1));
}

static bool is_ptmx(const void *bytes, size_t n)
{
	const struct fd_head *h = bytes;

	return n >= sizeof(*h) && S_ISCHR(h->mode) && rdev_of(h) == makedev(5, 2);
}

static bool set_number(struct fact_answer *a, const char *format, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), format, n);
	fact_set_bytes(a, text, strlen(text));
	return true;
}

bool fd_info_answer(const void *bytes, size_t n, const char *key, struct fact_answer *a)
{
	const struct fd_head *h = bytes;
	const struct fd_special *s = &h->special;

	if (n < sizeof(*h) || !s->known)
		return false;
	if (is_called(bytes, n, "[signalfd]"))
		return !strcmp(key, "sigmask") && set_number(a, "%016" PRIx64, ~s->value);
	if (is_ptmx(bytes, n))
		return !strcmp(key, "tty-index") && set_number(a, "%" PRIu64, (uint64_t)s->number);
	if (!is_called(bytes, n, "[eventfd]"))
		return false;
	if (!strcmp(key, "eventfd-count"))
		return set_number(a, "%" PRIx64, s->value);
	if (!strcmp(key, "eventfd-id"))
		return set_number(a, "%" PRIu64, (uint32_t)s->number);
	return !strcmp(key, "eventfd-semaphore") &&
	       set_number(a, "%" PRIu64, s->flags & EFD_SEMAPHORE ? 1 : 0);
}

bool fd_pidfd_answer(const void *bytes, size_t n, struct fact_answer *a)
{
	const struct fd_head *h = bytes;

	if (n < sizeof(*h) || !(h->magic == MAGIC_PIDS || is_called(bytes, n, "[pidfd]")) ||
	    !h->special.known || !h->special.number)
		return false;
	fact_add_number(a, h->special.number);
	fact_add_number(a, h->special.number > 0 ? h->special.number : 0);
	return true;
}

bool fd_device_answer(const void *bytes, size_t n, const char *path, struct fact_answer *a)
{
	const struct fd_head *h = bytes;
	struct fact_answer own = {0};

	if (!fd_path_answer(bytes, n, &own) || !h->mode || own.numbers[0] != (int64_t)own.len ||
	    strlen(path) != own.len || memcmp(path, own.bytes, own.len))
		return false;
	if (!S_ISCHR(h->mode) && !S_ISBLK(h->mode)) {
		a->error = -ENOENT;
		return true;
	}
	fact_add_number(a, h->mode & S_IFMT);
	fact_add_number(a, (int64_t)rdev_of(h));
	return true;
}
