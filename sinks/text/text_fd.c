/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_fd.h"

#include <string.h>
#include <sys/socket.h>

/* Writes a detail whose value is a name or a number. */
static void put_member(struct strbuf *b, const struct value *parent, const char *name)
{
	const struct value *v = value_member(parent, name);

	if (v->kind == VALUE_STRING)
		strbuf_add(b, v->str, v->len);
	else
		strbuf_udec(b, v->num);
}

/* Writes an endpoint such as 1.2.3.4:5 or [::1]:5. */
static void put_endpoint(struct strbuf *b, const struct value *address, const struct value *port)
{
	const bool bracketed = address->num == AF_INET6;
	char text[VALUE_ADDRESS_TEXT];

	if (bracketed)
		strbuf_putc(b, '[');
	strbuf_add(b, text, value_address_text(address, text, sizeof(text)));
	strbuf_puts(b, bracketed ? "]:" : ":");
	strbuf_udec(b, port->num);
}

static void put_inet(struct strbuf *b, const struct value *v, const struct value *address)
{
	const struct value *peer = value_member(v, "peer_address");

	put_endpoint(b, address, value_member(v, "port"));
	if (peer) {
		strbuf_puts(b, "->");
		put_endpoint(b, peer, value_member(v, "peer_port"));
	}
}

static void put_netlink(struct strbuf *b, const struct value *v, const struct value *family)
{
	const char *name = value_enum_name(family);

	if (name)
		strbuf_puts(b, name + strlen("NETLINK_"));
	else
		strbuf_udec(b, family->num);
	strbuf_putc(b, ':');
	put_member(b, v, "portid");
}

static void put_inode(struct strbuf *b, const struct value *v, enum hex_strings hex)
{
	const struct value *path = value_member(v, "path");

	put_member(b, v, "inode");
	if (value_member(v, "peer_inode")) {
		strbuf_puts(b, "->");
		put_member(b, v, "peer_inode");
	}
	if (path) {
		bool abstract = path->text & TEXT_ABSTRACT;

		strbuf_puts(b, abstract ? ",@\"" : ",\"");
		escape_bytes(b, path->str + abstract, path->len - abstract, hex, false);
		strbuf_putc(b, '"');
	}
}

void text_socket(struct strbuf *b, const struct value *v, enum hex_strings hex)
{
	const struct value *address = value_member(v, "address");
	const struct value *family = value_member(v, "family");

	put_member(b, v, "protocol");
	strbuf_puts(b, ":[");
	if (address)
		put_inet(b, v, address);
	else if (family)
		put_netlink(b, v, family);
	else
		put_inode(b, v, hex);
	strbuf_putc(b, ']');
}

void text_device_file(struct strbuf *b, const struct value *v)
{
	put_member(b, v, "type");
	strbuf_putc(b, ' ');
	put_member(b, v, "major");
	strbuf_putc(b, ':');
	put_member(b, v, "minor");
	if (value_member(v, "terminal")) {
		strbuf_puts(b, " @");
		put_member(b, v, "terminal");
	}
}
