/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "linux/syscall_desc.h"
#include "util/strbuf.h"

/* ---- finding ---- */

const struct value *event_argument_at(const struct event *e, unsigned i, bool ended)
{
	const struct arg *a = &e->args[i];

	return ended && a->out ? a->out : a->in;
}

enum found event_argument(const struct event *e, const char *name, bool ended,
			  const struct value **v)
{
	for (unsigned i = 0; i < e->nargs; i++) {
		if (!e->args[i].name || strcmp(e->args[i].name, name))
			continue;
		*v = event_argument_at(e, i, ended);
		if (*v)
			return FOUND;
		return ended ? FOUND_NOTHING : FOUND_LATER;
	}
	/*
	 * The existence of this argument may depend on another argument, which the kernel fills in.
	 * The result is therefore unknown before the call has ended.
	 */
	return ended ? FOUND_NOTHING : FOUND_LATER;
}

bool event_is_execve(const struct syscall_event *e)
{
	return e->row >= 0 && syscall_descs[e->row].flags & SYSCALL_F_EXECVE;
}

bool event_has_all(const struct syscall_event *e)
{
	for (unsigned i = 0; i < e->base.nargs; i++)
		if (!e->base.args[i].in)
			return false;
	return true;
}

/*
 * Returns the part of v in which to search for members: the new value of a change, the element of
 * an indexed value, or the only child of a sequence.
 */
static const struct value *content_of(const struct value *v)
{
	for (;;) {
		if (v->kind == VALUE_CHANGE && v->last)
			v = v->last;
		else if (v->kind == VALUE_INDEXED && v->last)
			v = v->last;
		else if (v->kind == VALUE_SEQ && v->child && v->child == v->last)
			v = v->child;
		else
			return v;
	}
}

/*
 * Returns the result for a search that found no match in v. An open value may get more children
 * before the call ends.
 */
static enum found nothing_in(const struct value *v, bool ended)
{
	return !ended && v->flags & VALUE_F_OPEN ? FOUND_LATER : FOUND_NOTHING;
}

enum found value_find_member(const struct value **v, const char *name, bool ended)
{
	const struct value *parent = content_of(*v), *m;

	/*
	 * A pointer to a struct is represented as an array of one element, [{…}]. Search the
	 * struct.
	 */
	if (parent->kind == VALUE_ARRAY && parent->child && parent->child == parent->last)
		parent = content_of(parent->child);
	m = value_member(parent, name);
	if (!m || m->kind == VALUE_PENDING)
		return nothing_in(*v, ended);
	*v = m;
	return FOUND;
}

enum found value_find_element(const struct value **v, uint64_t index, bool ended)
{
	const struct value *parent = content_of(*v);

	if (parent->kind != VALUE_ARRAY && parent->kind != VALUE_SEQ)
		return nothing_in(*v, ended);
	value_for_each(parent, m)
	{
		if (m->kind == VALUE_PENDING || m->kind == VALUE_MORE)
			break;
		if (index--)
			continue;
		*v = m;
		return FOUND;
	}
	return nothing_in(*v, ended);
}

/* ---- reading ---- */

static value_number as_signed(uint64_t n, unsigned width)
{
	switch (width) {
	case 1:
		return (int8_t)n;
	case 2:
		return (int16_t)n;
	case 4:
		return (int32_t)n;
	default:
		return (int64_t)n;
	}
}

bool value_as_number(const struct value *v, value_number *n, unsigned *bits)
{
	v = content_of(v);
	*bits = 8 * (v->width ? v->width : 8);
	*n = v->num;
	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
		*n = (int64_t)v->num;
		*bits = 0;
		return true;
	case VALUE_FD:
	case VALUE_PID:
		*n = (int32_t)v->num;
		*bits = 0;
		return true;
	case VALUE_ENUM:
	case VALUE_NAME:
		if (v->flags & VALUE_F_SIGNED) {
			*n = as_signed(v->num, v->width);
			*bits = 0;
		}
		return true;
	case VALUE_UINT:
	case VALUE_HEX:
	case VALUE_OCT:
	case VALUE_ADDR:
	case VALUE_FLAGS:
	case VALUE_OR:
	case VALUE_DEVICE:
	case VALUE_DATE:
	case VALUE_STATUS:
		return true;
	case VALUE_EXPR:
		return value_op_is_arithmetic(v->oper) || v->oper == VALUE_OP_OR;
	case VALUE_CALL:
		/* For htons(80), use the argument, because it is the number that users expect. */
		if (v->child && v->child == v->last)
			return value_as_number(v->child, n, bits);
		return true;
	case VALUE_ARRAY:
		/* A pointer to a number is represented as an array of one element, [16]. */
		return v->child && v->child == v->last && value_as_number(v->child, n, bits);
	default:
		return false;
	}
}

pid_t value_as_id(const struct value *v)
{
	value_number n;
	unsigned bits;

	return v && value_as_number(v, &n, &bits) && n > 0 && n <= INT32_MAX ? (pid_t)n : 0;
}

bool value_as_text(const struct value *v, char buf[VALUE_ADDRESS_TEXT], const char **text,
		   size_t *len)
{
	v = content_of(v);
	switch ((enum value_kind)v->kind) {
	case VALUE_STRING:
	case VALUE_NAME:
		*text = v->str;
		*len = v->len;
		return true;
	case VALUE_ADDRESS:
		*text = buf;
		*len = value_address_text(v, buf, VALUE_ADDRESS_TEXT);
		return true;
	default:
		return false;
	}
}

/*
 * Stores the number that a constant has in a table in *num. Returns false, and leaves *num
 * unchanged, if the constant has no number for the table.
 */
static bool constant_in(const struct constant *c, const struct xlat *table, uint64_t *num)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->values[i].table != table)
			continue;
		*num = c->values[i].num;
		return true;
	}
	return false;
}

/* Returns the table that contains the names for v's number, or NULL if there is none. */
static const struct xlat *table_of(const struct value *v)
{
	return v->kind == VALUE_ENUM || v->kind == VALUE_FLAGS ? v->table : NULL;
}

uint64_t constant_number(const struct constant *c, const struct value *v)
{
	const struct xlat *table;
	uint64_t num = c->num;

	if (!v || c->n < 2)
		return num;
	v = content_of(v);
	table = table_of(v);
	if (table) {
		constant_in(c, table, &num);
	} else if (v->kind == VALUE_OR) {
		value_for_each(v, m) if (table_of(m) && constant_in(c, table_of(m), &num)) break;
	}
	return num;
}

static bool has_name(const struct value *set, const struct constant *c)
{
	value_for_each(set, m) if (value_has(m, c)) return true;
	return false;
}

/*
 * Returns true if a bitset contains the constant. Compares numbers, because the elements of a
 * bitset have short names (INT for SIGINT).
 */
static bool has_number(const struct value *set, const struct constant *c)
{
	value_for_each(set, m) if (m->num == c->num) return true;
	return false;
}

bool value_has(const struct value *v, const struct constant *c)
{
	uint64_t num;

	v = content_of(v);
	switch ((enum value_kind)v->kind) {
	case VALUE_ENUM:
		return constant_in(c, v->table, &num) && v->num == num;
	case VALUE_FLAGS:
		if (!constant_in(c, v->table, &num))
			return false;
		return num ? (v->num & num) == num : !v->num;
	case VALUE_OR:
	case VALUE_SEQ:
	case VALUE_EXPR:
		return has_name(v, c);
	case VALUE_CALL:
		return has_name(v, c);
	case VALUE_BITSET:
		return has_number(v, c) != !!(v->flags & VALUE_F_INVERTED);
	case VALUE_ARRAY:
		return v->child && v->child == v->last && value_has(v->child, c);
	case VALUE_NAME:
	case VALUE_STRING:
		return v->len == strlen(c->name) && !memcmp(v->str, c->name, v->len);
	case VALUE_INT:
	case VALUE_UINT:
	case VALUE_HEX:
	case VALUE_OCT:
		return c->num ? (v->num & c->num) == c->num : !v->num;
	default:
		return false;
	}
}

/* ---- descriptors ---- */

/*
 * Derives f->kind from f->path, the kernel's name of the file. For "anon_inode:[x]", the kind is x.
 */
static void kind_of(struct descriptor_facts *f)
{
	static const char anon[] = "anon_inode:", *const prefixes[] = {"pipe:", "socket:", "mnt:"};
	const char *p = f->path;
	size_t n = f->path_len;

	f->kind = "file";
	if (n && *p == '/') {
		if (n >= 7 && !memcmp(p, "/memfd:", 7))
			f->kind = "memfd";
	} else if (n > sizeof(anon) - 1 && !memcmp(p, anon, sizeof(anon) - 1)) {
		p += sizeof(anon) - 1;
		n -= sizeof(anon) - 1;
		f->kind = *p == '[' ? p + 1 : p;
		f->kind_len = *p == '[' && n > 2 ? n - 2 : n;
		return;
	} else {
		f->kind = "other";
		for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
			const size_t len = strlen(prefixes[i]);

			if (n < len || memcmp(p, prefixes[i], len))
				continue;
			f->kind = prefixes[i];
			f->kind_len = len - 1;
			return;
		}
	}
	f->kind_len = strlen(f->kind);
}

void value_descriptor_facts(const struct value *fd, struct descriptor_facts *f)
{
	*f = (struct descriptor_facts){0};
	fd = content_of(fd);
	if (fd->kind != VALUE_FD)
		return;
	if (fd->known)
		fd = fd->known;
	if (fd->str) {
		f->path = fd->str;
		f->path_len = fd->len;
		kind_of(f);
	}
	if (fd->extra && fd->extra->kind == VALUE_SOCKET) {
		f->socket = fd->extra;
		f->kind = "socket";
		f->kind_len = strlen(f->kind);
	} else if (fd->extra && fd->extra->name && !f->path) {
		/* This is the name that -yy shows instead of the kernel's name. */
		f->kind = !strcmp(fd->extra->name, "pid") ? "pidfd" : fd->extra->name;
		f->kind_len = strlen(f->kind);
	}
}

const struct value *event_descriptor(const struct syscall_event *e, bool ended)
{
	for (unsigned i = 0; i < e->base.nargs; i++) {
		const struct value *v = event_argument_at(&e->base, i, ended);

		if (v && v->kind == VALUE_FD && !(v->flags & VALUE_F_ATFD))
			return v;
	}
	return NULL;
}

/* ---- bytes ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, *(const char *const *)b);
}

bool event_moves_bytes(const char *name)
{
	static const char *const sorted[] = {
		"copy_file_range", "getrandom",	 "pread64", "preadv", "preadv2",  "pwrite64",
		"pwritev",	   "pwritev2",	 "read",    "readv",  "recvfrom", "recvmsg",
		"sendfile",	   "sendfile64", "sendmsg", "sendto", "splice",	  "tee",
		"vmsplice",	   "write",	 "writev",
	};

	return bsearch(name, sorted, ARRAY_SIZE(sorted), sizeof(*sorted), compare_names);
}

bool event_bytes(const struct event *e, uint64_t *bytes)
{
	if (!event_moves_bytes(e->name))
		return false;
	*bytes = e->ret_kind == RET_VALUE && e->ret > 0 ? (uint64_t)e->ret : 0;
	return true;
}

/* ---- peers ---- */

/* The other end of a connection: an address, perhaps with a port, or a path. */
struct peer {
	const struct value *address, *path;
	bool has_port;
	uint64_t port;
};

static void take_port(struct peer *p, const struct value *port)
{
	value_number n;
	unsigned bits;

	p->has_port = port && value_as_number(port, &n, &bits);
	if (p->has_port)
		p->port = (uint64_t)n;
}

static bool peer_of_socket(struct peer *p, const struct value *fd)
{
	struct descriptor_facts f;

	value_descriptor_facts(fd, &f);
	p->address = f.socket ? value_member(f.socket, "peer_address") : NULL;
	if (p->address)
		take_port(p, value_member(f.socket, "peer_port"));
	return p->address;
}

/*
 * Gets the peer from a socket address among the arguments: a struct sockaddr_in, sockaddr_in6 or
 * sockaddr_un. Returns false if v is none of these.
 */
static bool peer_of_address(struct peer *p, const struct value *v)
{
	p->address = value_member(v, "sin_addr");
	if (!p->address)
		p->address = value_member(v, "sin6_addr");
	p->path = value_member(v, "sun_path");
	if (p->address) {
		const struct value *port = value_member(v, "sin_port");

		take_port(p, port ? port : value_member(v, "sin6_port"));
		/* The address may be the argument of a function, such as inet_addr("127.0.0.1"). */
		if (p->address->kind == VALUE_CALL)
			p->address = p->address->child;
	}
	return p->address || p->path;
}

static enum found find_peer(const struct syscall_event *e, bool ended, struct peer *p)
{
	const struct value *fd = event_descriptor(e, ended);

	*p = (struct peer){0};
	/* The address in bind(2) and getsockname(2) is our own, not the peer's. */
	if (!strcmp(e->base.name, "bind") || !strcmp(e->base.name, "getsockname"))
		return FOUND_NOTHING;
	for (unsigned i = 0; i < e->base.nargs; i++) {
		const struct value *v = event_argument_at(&e->base, i, ended);

		if (v && content_of(v)->kind == VALUE_STRUCT && peer_of_address(p, content_of(v)))
			return FOUND;
	}
	if (fd && peer_of_socket(p, fd))
		return FOUND;
	return ended || event_has_all(e) ? FOUND_NOTHING : FOUND_LATER;
}

enum found event_peer(const struct syscall_event *e, bool ended, bool address_only,
		      struct strbuf *b)
{
	char buf[VALUE_ADDRESS_TEXT];
	struct peer p;
	enum found found = find_peer(e, ended, &p);
	const char *text;
	bool bracketed;
	size_t len;

	if (found != FOUND)
		return found;
	if (!value_as_text(p.address ? p.address : p.path, buf, &text, &len))
		return FOUND_NOTHING;
	bracketed = p.has_port && !address_only && memchr(text, ':', len);
	if (bracketed)
		strbuf_putc(b, '[');
	strbuf_add(b, text, len);
	if (bracketed)
		strbuf_putc(b, ']');
	if (p.has_port && !address_only) {
		strbuf_putc(b, ':');
		strbuf_udec(b, p.port);
	}
	return FOUND;
}

enum found event_peer_port(const struct syscall_event *e, bool ended, uint64_t *port)
{
	struct peer p;
	enum found found = find_peer(e, ended, &p);

	*port = p.port;
	return found == FOUND && !p.has_port ? FOUND_NOTHING : found;
}
