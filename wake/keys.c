/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wake/keys.h"

#include <string.h>
#include <sys/socket.h>

#include "event/find.h"
#include "util/strbuf.h"
#include "util/table.h"

/* Returns a hash of n bytes. The hash is never 0. */
static uint64_t hash_bytes(const void *bytes, size_t n)
{
	const uint64_t hash = table_hash(bytes, n);

	return hash ? hash : 1;
}

wake_key wake_key_of(enum awaited event, uint64_t a, uint64_t b)
{
	const uint64_t parts[] = {event, a, b};

	return hash_bytes(parts, sizeof(parts));
}

static uint64_t member_number(const struct value *v, const char *name)
{
	const struct value *member = value_member(v, name);
	value_number n = 0;
	unsigned bits;

	return member && value_as_number(member, &n, &bits) ? (uint64_t)n : 0;
}

/* One side of an IP connection. */
struct side {
	uint8_t address[16];
	uint64_t port;
};

/*
 * Sets *side to one side of a connection: the values of `socket` with the names `address` and
 * `port`. Treats an IPv4-mapped IPv6 address as the IPv4 address. Returns false if a value is
 * missing.
 */
static bool side_of(const struct value *socket, const char *address, const char *port,
		    struct side *side)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	const struct value *v = value_member(socket, address);

	if (!v || v->kind != VALUE_ADDRESS || (v->len != 4 && v->len != 16))
		return false;
	*side = (struct side){.port = member_number(socket, port)};
	if (v->len == 4)
		memcpy(side->address, mapped, sizeof(mapped));
	memcpy(side->address + 16 - v->len, v->str, v->len);
	return side->port != 0;
}

static struct end end_of_socket(const struct value *socket)
{
	struct end end = {.self = member_number(socket, "inode"),
			  .other = member_number(socket, "peer_inode"),
			  .cause = WAKE_SOCKET};
	struct side sides[3];

	if (!side_of(socket, "address", "port", &sides[0]) ||
	    !side_of(socket, "peer_address", "peer_port", &sides[1]))
		return end;
	sides[2] = sides[0];
	end.self = hash_bytes(&sides[0], 2 * sizeof(*sides));
	end.other = hash_bytes(&sides[1], 2 * sizeof(*sides));
	return end;
}

/*
 * Returns a key for an eventfd: a hash of its id or, if the kernel does not report the id, of the
 * process and descriptor.
 */
static uint64_t eventfd_of(const struct value *eventfd, const struct value *fd, pid_t tgid)
{
	const uint64_t id = eventfd ? member_number(eventfd, "eventfd-id") : 0;
	const uint64_t parts[] = {(uint64_t)tgid, fd->num};

	return hash_bytes(id ? (const void *)&id : parts, id ? sizeof(id) : sizeof(parts));
}

static bool begins_with(const struct descriptor_facts *f, const char *text)
{
	return f->path && f->path_len >= strlen(text) && !memcmp(f->path, text, strlen(text));
}

struct end end_of(const struct value *fd, pid_t tgid)
{
	struct descriptor_facts f;
	struct end end = {.cause = WAKE_OUTSIDE};
	const struct value *known;

	if (!fd || fd->kind != VALUE_FD)
		return end;
	known = fd->known ? fd->known : fd;
	value_descriptor_facts(fd, &f);
	if (f.socket)
		return end_of_socket(f.socket);
	if ((known->extra && known->extra->name && !strcmp(known->extra->name, "eventfd")) ||
	    begins_with(&f, "anon_inode:[eventfd]")) {
		end.self = end.other = eventfd_of(known->extra, fd, tgid);
		end.cause = WAKE_EVENTFD;
	} else if (begins_with(&f, "anon_inode:[timerfd]")) {
		end.cause = WAKE_TIMER;
	} else if (begins_with(&f, "pipe:[")) {
		end.self = end.other = hash_bytes(f.path, f.path_len);
		end.cause = WAKE_PIPE;
	} else if (begins_with(&f, "socket:[")) {
		end.self = hash_bytes(f.path, f.path_len);
		end.cause = WAKE_SOCKET;
	}
	return end;
}

uint64_t file_of(const struct value *fd)
{
	struct descriptor_facts f = {0};

	if (fd)
		value_descriptor_facts(fd, &f);
	return f.path ? hash_bytes(f.path, f.path_len) : 0;
}

/* The id of a listening IP socket is the port, because the socket may be bound to all addresses. */
uint64_t listen_of(const struct value *fd)
{
	struct descriptor_facts f = {0};
	const struct value *path;

	if (fd)
		value_descriptor_facts(fd, &f);
	if (!f.socket)
		return 0;
	path = value_member(f.socket, "path");
	if (path && path->kind == VALUE_STRING)
		return hash_bytes(path->str, path->len);
	return member_number(f.socket, "port");
}

uint64_t connect_of(const struct syscall_event *e)
{
	struct strbuf text = {0};
	uint64_t number = 0;

	if (event_peer_port(e, false, &number) != FOUND &&
	    event_peer(e, false, false, &text) == FOUND)
		number = hash_bytes(text.data, text.len);
	strbuf_deinit(&text);
	return number;
}
