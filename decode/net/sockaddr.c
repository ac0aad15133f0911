/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "decode/core/secontext.h"
#include "decode/net/sockaddr.h"
#include "decode/net/sockaddr_family.h"

static void add_unix(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	size_t offset = offsetof(struct sockaddr_un, sun_path), n;
	const char *path = (const char *)bytes + offset;
	struct value *abstract;

	if (len <= offset)
		return;
	len = size_min(len, sizeof(struct sockaddr_un)) - offset;
	if (!*path) {
		abstract = value_string(d->arena, path, len);
		abstract->text |= TEXT_ABSTRACT;
		value_add_named(v, "sun_path", abstract);
		return;
	}
	n = strnlen(path, len);
	/* Do not set VALUE_F_PATH, because a summary by path counts only calls on files. */
	decode_path_context(d, AT_FDCWD,
			    value_add_named(v, "sun_path", value_string(d->arena, path, n)));
}

static bool add_inet(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	struct sockaddr_in in;

	if (len < sizeof(in))
		return false;
	memcpy(&in, bytes, sizeof(in));
	value_add_named(v, "sin_port", decode_htons(d, in.sin_port));
	value_add_named(v, "sin_addr", decode_inet_addr(d, (const uint8_t *)&in.sin_addr));
	return true;
}

static bool add_inet6(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	const size_t without_scope = offsetof(struct sockaddr_in6, sin6_scope_id); /* RFC 2133 */
	struct sockaddr_in6 in6 = {0};
	struct value *addr;

	if (len < without_scope)
		return false;
	memcpy(&in6, bytes, size_min(len, sizeof(in6)));
	value_add_named(v, "sin6_port", decode_htons(d, in6.sin6_port));
	value_add_named(v, "sin6_flowinfo", decode_htonl(d, in6.sin6_flowinfo));
	addr = decode_inet6_addr(d, in6.sin6_addr.s6_addr, "sin6_addr");
	value_add_named(v, "sin6_addr", addr)->text |= TEXT_UNNAMED;
	if (len <= without_scope)
		return true;
	if (IN6_IS_ADDR_LINKLOCAL(&in6.sin6_addr) || IN6_IS_ADDR_MC_LINKLOCAL(&in6.sin6_addr))
		value_add_named(v, "sin6_scope_id", decode_ifindex(d, in6.sin6_scope_id));
	else
		value_add_named(v, "sin6_scope_id", value_uint(d->arena, in6.sin6_scope_id));
	return true;
}

static bool add_netlink(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	struct sockaddr_nl nl;
	struct value *groups;

	if (len < sizeof(nl))
		return false;
	memcpy(&nl, bytes, sizeof(nl));
	if (nl.nl_pad)
		value_add_named(v, "nl_pad", value_hex(d->arena, nl.nl_pad));
	value_add_named(v, "nl_pid", decode_pid(d, PID_PROCESS, (int)nl.nl_pid));
	groups = value_add_named(v, "nl_groups", value_hex(d->arena, nl.nl_groups));
	groups->width = 4;
	groups->text |= TEXT_PADDED;
	return true;
}

static bool add_packet(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	struct sockaddr_ll ll;
	struct value *protocol, *addr;
	size_t have = len - offsetof(struct sockaddr_ll, sll_addr);

	if (len < sizeof(ll))
		return false;
	memcpy(&ll, bytes, sizeof(ll));
	protocol = value_call(d->arena, "htons");
	protocol->num = ll.sll_protocol;
	protocol->extra = decode_network_bytes(d, &ll.sll_protocol, sizeof(ll.sll_protocol));
	value_add(protocol, value_enum(d->arena, &xlat_ethernet_protocols, ntohs(ll.sll_protocol)));
	value_add_named(v, "sll_protocol", protocol);
	value_add_named(v, "sll_ifindex", decode_ifindex(d, ll.sll_ifindex));
	value_add_named(v, "sll_hatype", value_enum(d->arena, &xlat_arphrd_types, ll.sll_hatype));
	value_add_named(v, "sll_pkttype", value_enum(d->arena, &xlat_packet_types, ll.sll_pkttype));
	value_add_named(v, "sll_halen", value_uint(d->arena, ll.sll_halen));
	if (!ll.sll_halen)
		return true;
	addr = sockaddr_hex_bytes(d, bytes + offsetof(struct sockaddr_ll, sll_addr),
				  size_min(ll.sll_halen, have));
	if (ll.sll_halen > have)
		addr->flags |= VALUE_F_MORE;
	value_add_named(v, "sll_addr", addr);
	return true;
}

/*
 * The structs of the address families. If a family has several rows, the first row that matches the
 * length of the address is used.
 */
static const struct sockaddr_row {
	/* length is in bytes; 0 stands for the size of the struct in the tracee's ABI */
	uint8_t family, length;
	bool exact; /* true if only this length matches, false if longer addresses match as well */
	bool more;  /* if true, bytes that follow the struct are shown as "..." */
	const struct struct_desc *desc;
} rows[] = {
	{AF_X25, 18, false, false, &struct_sockaddr_x25},
	{AF_IPX, 16, false, false, &struct_sockaddr_ipx},
	{AF_ALG, 25, false, false, &struct_sockaddr_alg},
	{AF_VSOCK, 16, false, false, &struct_sockaddr_vm},
	{42 /* AF_QIPCRTR */, 12, false, false, &struct_sockaddr_qrtr},
	{44 /* AF_XDP */, 16, false, false, &struct_sockaddr_xdp},
	{45 /* AF_MCTP */, 12, false, false, &struct_sockaddr_mctp},
	{AF_IEEE802154, 20, false, false, &struct_sockaddr_ieee802154},
	{AF_TIPC, 16, false, false, &struct_sockaddr_tipc},
	{AF_NFC, 0, false, false, &struct_sockaddr_nfc_llcp},
	{AF_NFC, 16, false, true, &struct_sockaddr_nfc},
	{AF_RXRPC, 36, false, false, &struct_sockaddr_rxrpc},
	{AF_BLUETOOTH, 4, true, false, &struct_sockaddr_hci},
	{AF_BLUETOOTH, 6, true, false, &struct_sockaddr_hci},
	{AF_BLUETOOTH, 8, true, false, &struct_sockaddr_sco},
	{AF_BLUETOOTH, 10, true, false, &struct_sockaddr_rc},
	{AF_BLUETOOTH, 12, true, false, &struct_sockaddr_l2},
	{AF_BLUETOOTH, 14, true, false, &struct_sockaddr_l2},
};

/* Adds the members of an address. Returns false if no row of the family matches the length. */
static bool add_row(struct decoder *d, struct value *v, uint16_t family, const uint8_t *bytes,
		    size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sockaddr_row *r = &rows[i];
		const struct type t = {.ops = &type_struct, .desc = r->desc};
		size_t length = r->length ? r->length : struct_size(d->abi, r->desc);
		struct value *members;

		if (r->family != family || len < length || (r->exact && len != length))
			continue;
		members = decode_bytes(d, &t, 0, bytes, len);
		for (struct value *m = members->child, *next; m; m = next) {
			next = m->next;
			m->next = NULL;
			value_add(v, m);
		}
		if (r->more && len > length)
			v->flags |= VALUE_F_MORE;
		return true;
	}
	return false;
}

struct value *sockaddr_value(struct decoder *d, const uint8_t *bytes, size_t len,
			     const char *family_name)
{
	bool is_member = strcmp(family_name, "sa_family"), known;
	struct value *v = value_struct(d->arena), *data;
	uint16_t family;

	memcpy(&family, bytes, sizeof(family));
	value_add_named(v, family_name, value_enum(d->arena, &xlat_addr_families, family))->width =
		2;
	switch (family) {
	case AF_UNIX:
		known = !is_member;
		if (known)
			add_unix(d, v, bytes, len);
		break;
	case AF_INET:
		known = add_inet(d, v, bytes, len);
		break;
	case AF_INET6:
		known = add_inet6(d, v, bytes, len);
		break;
	case AF_NETLINK:
		known = !is_member && add_netlink(d, v, bytes, len);
		break;
	case AF_PACKET:
		known = !is_member && add_packet(d, v, bytes, len);
		break;
	case AF_AX25:
		known = !is_member && sockaddr_add_ax25(d, v, bytes, len);
		break;
	default:
		known = !is_member && add_row(d, v, family, bytes, len);
	}
	if (known || len <= sizeof(family))
		return v;
	data = value_string(d->arena, bytes + sizeof(family), len - sizeof(family));
	value_add_named(v, "sa_data", data);
	if (is_member)
		data->text |= TEXT_UNNAMED;
	return v;
}

struct value *decode_sockaddr(struct decoder *d, uint64_t addr, uint64_t len)
{
	uint8_t *bytes;

	if (!addr || len < sizeof(uint16_t))
		return value_addr(d->arena, addr);
	len = size_min(len, sizeof(struct sockaddr_storage));
	bytes = decode_read_new(d, addr, len, NULL);
	if (!bytes || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	return sockaddr_value(d, bytes, len, "sa_family");
}

struct value *sockaddr_arg(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t len;

	if (!decode_length(d, &t->len, &len) || (int)len < 0)
		return value_addr(d->arena, n);
	return decode_sockaddr(d, n, (uint32_t)len);
}
const struct type_ops type_sockaddr_arg = {
	.name = "sockaddr_arg", .number = sockaddr_arg, .fetch = sockaddr_arg};

struct value *sockaddr_filled(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct value *before = d->state->before[t->len.n];
	uint64_t len;

	if (!decode_length(d, &t->len, &len))
		return value_addr(d->arena, n);
	/*
	 * The kernel may report a length that is larger than the buffer. It has stored only the
	 * part that fits, so limit the length to the buffer's size.
	 */
	if (before && before->kind == VALUE_ARRAY && before->child) {
		if ((int)before->child->num < 0)
			return value_addr(d->arena, n);
		len = size_min(len, before->child->num);
	}
	return decode_sockaddr(d, n, len);
}
const struct type_ops type_sockaddr_filled = {
	.name = "sockaddr_filled", .number = sockaddr_filled, .fetch = sockaddr_filled};

struct value *sockaddr_length(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type length = PTR(INT);

	/*
	 * If the pointer to the socket address is NULL, the kernel does not use the length, so show
	 * only a pointer.
	 */
	return decode_arg_raw(d, t->len.n) ? decode_number(d, &length, n) : value_addr(d->arena, n);
}
const struct type_ops type_sockaddr_length = {.name = "sockaddr_length",
					      .number = sockaddr_length,
					      .fetch = sockaddr_length,
					      .both = true};

static struct value *sockaddr_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr, const uint8_t *bytes, size_t len)
{
	return len < sizeof(uint16_t) ? value_addr(d->arena, addr)
				      : sockaddr_value(d, bytes, len, "sa_family");
}

const struct type_ops type_sockaddr = {.name = "sockaddr", .memory = sockaddr_memory};

struct value *sockaddr_in_addr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const uint32_t addr = n;

	return decode_inet_addr(d, (const uint8_t *)&addr);
}

const struct type_ops sockaddr_16 = {.name = "sockaddr", .memory = sockaddr_memory};

static struct value *in6_member(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes,
				size_t len attr_unused)
{
	const struct scope *s = d->scope;

	for (unsigned i = 0; s && i < s->desc->nfields; i++)
		if (s->bytes + struct_offset(d->abi, s->desc, i) == bytes)
			return decode_inet6_addr(d, bytes, s->desc->fields[i].name);
	return decode_inet6_addr(d, bytes, NULL);
}
const struct type_ops sockaddr_in6_member = {.name = "in6_addr", .memory = in6_member};

/* ---- RXRPC ---- */

/* Shows the transport address in an AF_RXRPC address. transport_len is its length in bytes. */
static struct value *transport(struct decoder *d, const struct type *t attr_unused,
			       uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t n = size_min(decode_field(d, "transport_len"), len);
	struct value *v = value_struct(d->arena), *of;
	uint16_t family;

	memcpy(&family, bytes, sizeof(family));
	/*
	 * Like strace 7.2, shows the whole scope id even if transport_len includes only a part of
	 * it.
	 */
	if (family == AF_INET6 && n > offsetof(struct sockaddr_in6, sin6_scope_id))
		n = size_min(size_max(n, sizeof(struct sockaddr_in6)), len);
	if (family != AF_INET && family != AF_INET6)
		return sockaddr_value(d, bytes, n, "family");
	of = sockaddr_value(d, bytes, n, family == AF_INET ? "sin_family" : "sin6_family");
	value_add_named(v, family == AF_INET ? "sin" : "sin6", of);
	return v;
}
const struct type_ops type_rxrpc_transport = {.name = "rxrpc_transport", .memory = transport};
