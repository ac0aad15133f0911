/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/net/net.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "decode/netlink/netlink.h"

struct value *net_socketcall(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *name = xlat_name(&xlat_socketcalls, n);
	struct value *v;

	if (!name)
		return value_int(d->arena, (int32_t)n);
	v = value_word(d->arena, name, n);
	v->flags |= VALUE_F_SIGNED;
	v->text |= TEXT_STYLED;
	return v;
}
const struct type_ops type_net_socketcall = {.name = "net_socketcall", .number = net_socketcall};

/*
 * Like strace 7.2, shows protocols of AF_IRDA by the names of CAN protocols, but with a different
 * comment.
 */
static struct value *irda_protocol(struct decoder *d, uint32_t protocol)
{
	struct value *v;

	if (xlat_name(&xlat_can_protocols, protocol))
		return value_enum(d->arena, &xlat_can_protocols, protocol);
	v = value_hex(d->arena, protocol);
	v->comment = "IRDAPROTO_???";
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *net_protocol(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t protocol = n;
	struct value *v;

	switch (decode_arg_raw(d, 0)) {
	case AF_INET:
	case AF_INET6:
		return value_enum(d->arena, &xlat_inet_protocols, protocol);
	case AF_NETLINK:
		return value_enum(d->arena, &xlat_netlink_protocols, protocol);
	case AF_BLUETOOTH:
		return value_enum(d->arena, &xlat_bt_protocols, protocol);
	case AF_CAIF:
		return value_enum(d->arena, &xlat_caif_protocols, protocol);
	case AF_CAN:
		return value_enum(d->arena, &xlat_can_protocols, protocol);
	case AF_SMC:
		return value_enum(d->arena, &xlat_smc_protocols, protocol);
	case AF_PHONET:
		return value_enum(d->arena, &xlat_phonet_protocols, protocol);
	case AF_IRDA:
		return irda_protocol(d, protocol);
	case AF_AX25:
		/*
		 * Show both the number and the name in all styles of -X, because the number is
		 * transmitted in packets.
		 */
		v = value_hex(d->arena, n);
		v->comment = xlat_name(&xlat_ax25_protocols, n);
		if (!v->comment)
			v->comment = xlat_ax25_protocols.unknown;
		return v;
	case AF_ISDN:
		return value_enum(d->arena, &xlat_isdn_protocols, protocol);
	case AF_NFC:
		return value_enum(d->arena, &xlat_nfc_sockprotos, protocol);
	case AF_KCM:
		return value_enum(d->arena, &xlat_kcm_protocols, protocol);
	case AF_RXRPC:
		return value_enum(d->arena, &xlat_addr_families, protocol);
	case AF_PACKET:
		v = value_call(d->arena, "htons");
		v->num = protocol;
		v->text |= TEXT_ALWAYS;
		value_add(v, value_enum(d->arena, &xlat_ethernet_protocols,
					ntohs((uint16_t)protocol)));
		return v;
	default:
		return value_uint(d->arena, n);
	}
}
const struct type_ops type_net_protocol = {.name = "net_protocol", .number = net_protocol};

/* ---- messages ---- */

struct value *net_iovec_share(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t len = size_min(decode_field(d, "iov_len"), d->left);

	d->left -= len;
	return decode_packet(d, (int)decode_arg_raw(d, 0), n, len);
}

struct value *net_msghdr(struct decoder *d, const uint8_t *bytes, uint64_t addr, uint64_t data,
			 int64_t name_before)
{
	struct scope scope = {.up = d->scope,
			      .desc = &struct_msghdr,
			      .bytes = bytes,
			      .addr = addr,
			      .len = struct_size(d->abi, &struct_msghdr)};
	const struct type sent = ARRAY(STRUCT(msg_iovec_data), FIELD(msg_iovlen));
	const struct type received = ARRAY(STRUCT(msg_iovec_filled), FIELD(msg_iovlen));
	bool is_sent = name_before == NET_SENT;
	struct value *v = value_struct(d->arena), *name_value, *namelen_value;
	const struct value *family;
	uint64_t name, namelen, name_room, iov, iovlen, control, controllen;

	d->scope = &scope;
	name = decode_field(d, "msg_name");
	namelen = (uint32_t)decode_field(d, "msg_namelen");
	iov = decode_field(d, "msg_iov");
	iovlen = decode_field(d, "msg_iovlen");
	control = decode_field(d, "msg_control");
	controllen = decode_field(d, "msg_controllen");
	name_room = namelen;
	d->scope = scope.up;

	if (!is_sent && name_before < (int)namelen)
		name_room = name_before < 0 ? 0 : name_before;
	name_value = (int)namelen < 0 && name_room == namelen ? value_addr(d->arena, name)
							      : decode_sockaddr(d, name, name_room);
	value_add_named(v, "msg_name", name_value);
	family = value_member(name_value, "sa_family");
	if (family)
		d->packet = family->num == AF_NETLINK ? PACKET_NETLINK : PACKET_OTHER;
	namelen_value = value_int(d->arena, (int)namelen);
	if (!is_sent && name_before != (int)namelen)
		namelen_value = value_change(d->arena, value_int(d->arena, (int)name_before),
					     namelen_value);
	value_add_named(v, "msg_namelen", namelen_value);
	d->left = data;
	d->scope = &scope;
	value_add_named(v, "msg_iov", decode_number(d, is_sent ? &sent : &received, iov));
	d->scope = scope.up;
	d->left = 0;
	d->packet = PACKET_BY_FD;
	value_add_named(v, "msg_iovlen", value_uint(d->arena, iovlen));
	if (controllen)
		value_add_named(v, "msg_control",
				control ? decode_cmsgs(d, control, controllen)
					: value_addr(d->arena, 0));
	value_add_named(v, "msg_controllen", value_uint(d->arena, controllen));
	decode_member(d, v, &struct_msghdr, bytes, scope.len, addr, "msg_flags");
	return v;
}

struct value *net_msg_sent(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint8_t *bytes = n && !(d->mode & DECODE_NO_DEREF)
				 ? decode_read_new(d, n, struct_size(d->abi, &struct_msghdr), NULL)
				 : NULL;

	return bytes ? net_msghdr(d, bytes, n, 0, NET_SENT) : value_addr(d->arena, n);
}

/* Returns the msg_namelen of the msghdr at addr. Returns NET_SENT if it cannot be read. */
static int64_t msg_namelen(struct decoder *d, uint64_t addr)
{
	uint8_t *bytes =
		addr ? decode_read_new(d, addr, struct_size(d->abi, &struct_msghdr), NULL) : NULL;
	uint32_t len;

	if (!bytes)
		return NET_SENT;
	memcpy(&len, bytes + d->abi->long_size, sizeof(len));
	return (int)len;
}

struct value *net_msg_before(struct decoder *d, const struct type *t attr_unused,
			     uint64_t n attr_unused)
{
	uint64_t addr = decode_arg_raw(d, 1);
	int64_t len = msg_namelen(d, addr);

	if (len != NET_SENT)
		d->state->before[1] = value_int(d->arena, len);
	else
		d->ev->base.args[1].in = value_addr(d->arena, addr);
	return NULL;
}

struct value *net_msg_received(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct value *before = d->state->before[1];
	int64_t len = before ? (int64_t)before->num : 0;
	struct value *v;
	uint8_t *bytes;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	if (d->failed) {
		/* The kernel has stored nothing, so only the size of the name buffer is known. */
		if (!before)
			return value_addr(d->arena, n);
		v = value_struct(d->arena);
		value_add_named(v, "msg_namelen", value_int(d->arena, len));
		return v;
	}
	bytes = decode_read_new(d, n, struct_size(d->abi, &struct_msghdr), NULL);
	return bytes ? net_msghdr(d, bytes, n, d->ev->base.ret, len) : value_addr(d->arena, n);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads net_reads[] = {CUSTOM(net_iovec_share, BYTES(FIELD(iov_len))),
					 CUSTOM(net_msg_sent, STRUCT(msghdr)),
					 CUSTOM(net_msg_received, STRUCT(msghdr)),
					 CUSTOM_ARG(net_msg_before, 1, STRUCT(msghdr)),
					 CUSTOM(net_sockopt_set, BYTES(N(64))),
					 CUSTOM(net_sockopt_set, BYTES(ARG_UINT(4))),
					 CUSTOM(net_sockopt_set, STRUCT(sock_fprog)),
					 CUSTOM(net_sockopt_got, BYTES(N(64))),
					 CUSTOM(net_sockopt_got, BYTES(DEREF(4))),
					 {0}};
