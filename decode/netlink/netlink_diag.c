/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sock_diag(7) attributes that are not plain structs. */
#include <linux/inet_diag.h>
#include <string.h>
#include <sys/socket.h>

#include "linux/families.h"

/* ---- inet_diag filters: operations and their operands ---- */

/*
 * Shows the operand of a comparison with an address. The address may be shorter or longer than
 * addresses of its family.
 */
static struct value *host_condition(struct decoder *d, const uint8_t *bytes, size_t len)
{
	struct value *v = netlink_unread(d, bytes, sizeof(struct inet_diag_hostcond)), *address;
	struct inet_diag_hostcond c;

	if (v || len < sizeof(c))
		return v ? v : netlink_hex(d, bytes, len);
	memcpy(&c, bytes, sizeof(c));
	bytes += sizeof(c);
	len -= sizeof(c);
	v = value_struct(d->arena);
	value_add_named(v, "family", value_enum(d->arena, &xlat_addr_families, c.family))->width =
		1;
	value_add_named(v, "prefix_len", value_uint(d->arena, c.prefix_len));
	value_add_named(v, "port", value_uint(d->arena, (uint32_t)c.port));
	if (c.family == AF_INET && len >= 4) {
		address = netlink_unread(d, bytes, 4);
		if (!address)
			address = decode_inet_addr(d, bytes);
	} else if (c.family == AF_INET6 && len >= 16) {
		address = netlink_unread(d, bytes, 16);
		if (!address)
			address = decode_inet6_addr(d, bytes, "addr");
	} else {
		address = len ? netlink_hex(d, bytes, len) : NULL;
	}
	if (address)
		value_add_named(v, "addr", address);
	return v;
}

static struct value *bytecode_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type op = STRUCT(inet_diag_bc_op), mark = STRUCT(inet_diag_markcond),
			  device = NL_IFINDEX, *operand = NULL;
	size_t size = sizeof(struct inet_diag_bc_op);
	struct value *v = netlink_unread(d, bytes, size), *unread;
	uint8_t code;

	if (v || len < size)
		return v;
	code = bytes[0];
	v = value_new(d->arena, VALUE_SEQ, 0);
	value_add(v, decode_bytes(d, &op, addr, bytes, size));
	addr += size;
	bytes += size;
	len -= size;
	if (!len)
		return v;
	switch (code) {
	case INET_DIAG_BC_S_COND:
	case INET_DIAG_BC_D_COND:
		value_add(v, host_condition(d, bytes, len));
		return v;
	case INET_DIAG_BC_S_GE:
	case INET_DIAG_BC_S_LE:
	case INET_DIAG_BC_D_GE:
	case INET_DIAG_BC_D_LE:
		operand = &op;
		break;
	case INET_DIAG_BC_DEV_COND:
		operand = &device;
		break;
	case INET_DIAG_BC_MARK_COND:
		operand = &mark;
		break;
	}
	if (operand && len >= decode_size(d->abi, operand)) {
		unread = netlink_unread(d, bytes, decode_size(d->abi, operand));
		value_add(v, unread ? unread : decode_bytes(d, operand, addr, bytes, len));
	} else {
		value_add(v, netlink_hex(d, bytes, len));
	}
	return v;
}
const struct type_ops nl_bytecode = {
	.name = "bytecode", .memory = bytecode_memory, .partial = true};

#define INSN_SIZE 8 /* size in bytes of struct sock_filter (linux/filter.h) */

/* Shows the BPF filter of a packet socket. */
static struct value *socket_filter_memory(struct decoder *d, const struct type *t attr_unused,
					  uint64_t addr, const uint8_t *bytes attr_unused,
					  size_t len)
{
	return len < INSN_SIZE ? NULL
			       : decode_bpf_program(d, BPF_INSN_SOCKET, addr, len / INSN_SIZE);
}
const struct type_ops nl_socket_filter = {
	.name = "socket_filter", .memory = socket_filter_memory, .partial = true};

/* ---- replies ---- */

/*
 * Shows the names of those members of a struct inet_diag_sockopt that are set. All members are
 * one-bit fields.
 */
static struct value *sockopt_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {
		"recverr",	   "is_icsk",	   "freebind",
		"hdrincl",	   "mc_loop",	   "transparent",
		"mc_all",	   "nodefrag",	   "bind_address_no_port",
		"recverr_rfc4884", "defer_connect"};
	struct value *v, *seq, *unused, *rest;
	uint16_t bits;
	size_t used = sizeof(bits);

	if (len < sizeof(bits))
		return NULL;
	memcpy(&bits, bytes, sizeof(bits));
	v = value_struct(d->arena);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (bits >> i & 1)
			value_add_named(v, names[i], value_uint(d->arena, 1));
	if (bits >> ARRAY_SIZE(names)) {
		unused = value_hex(d->arena, bits >> ARRAY_SIZE(names));
		unused->comment = "bits 3..8";
		value_add_named(v, "unused", unused);
	}
	while (used < len && !bytes[used])
		used++;
	if (used == len)
		return v;
	seq = value_new(d->arena, VALUE_SEQ, 0);
	value_add(seq, v);
	rest = value_add(seq, netlink_hex(d, bytes + sizeof(bits), len - sizeof(bits)));
	rest->comment = arena_printf(d->arena, "bytes %zu..%zu", sizeof(bits), len - 1);
	rest->text |= TEXT_COMMENT_FIRST;
	return seq;
}
const struct type_ops nl_sockopt = {.name = "sockopt", .memory = sockopt_memory};

static struct value *shutdown_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v;

	if (!len || len > sizeof(uint64_t))
		return NULL;
	v = value_flags(d->arena, &xlat_shutdown_flags, bytes[0]);
	v->text |= TEXT_BOTH;
	return v;
}
const struct type_ops nl_shutdown = {.name = "shutdown", .memory = shutdown_memory};

#define MD5_KEY_MAX 80 /* linux/tcp.h: TCP_MD5SIG_MAXKEYLEN */

static struct value *md5sig_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct key {
		uint8_t family, prefixlen;
		uint16_t keylen;
		uint8_t addr[16], key[MD5_KEY_MAX];
	} k;
	struct value *all = netlink_unread(d, bytes, sizeof(k)), *v, *address, *key;

	if (all || len < sizeof(k))
		return all;
	all = value_array(d->arena);
	for (size_t i = 0; i < len / sizeof(k); i++) {
		if (!netlink_has_elem(d, all, i, bytes + i * sizeof(k), sizeof(k)))
			break;
		memcpy(&k, bytes + i * sizeof(k), sizeof(k));
		v = value_add(all, value_struct(d->arena));
		value_add_named(v, "tcpm_family",
				value_enum(d->arena, &xlat_addr_families, k.family))
			->width = 1;
		value_add_named(v, "tcpm_prefixlen", value_uint(d->arena, k.prefixlen));
		value_add_named(v, "tcpm_keylen", value_uint(d->arena, k.keylen));
		if (k.family == AF_INET)
			address = decode_inet_addr(d, k.addr);
		else if (k.family == AF_INET6)
			address = decode_inet6_addr(d, k.addr, "tcpm_addr");
		else
			address = netlink_hex(d, k.addr, sizeof(k.addr));
		value_add_named(v, "tcpm_addr", address);
		key = value_string(d->arena, bytes + i * sizeof(k) + offsetof(struct key, key),
				   size_min(k.keylen, MD5_KEY_MAX));
		key->text |= TEXT_HEX_STRING;
		value_add_named(v, "tcpm_key", key);
	}
	return all;
}
const struct type_ops nl_md5sig = {.name = "md5sig", .memory = md5sig_memory, .partial = true};

/* Shows the addresses of an SCTP association. Each address is in a struct sockaddr_storage. */
static struct value *addresses_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t size = sizeof(struct sockaddr_storage), n = len / size;
	struct value *all = netlink_unread(d, bytes, size);

	if (all || !n)
		return all;
	all = value_array(d->arena);
	for (size_t i = 0; i < n && netlink_has_elem(d, all, i, bytes + i * size, size); i++)
		value_add(all, sockaddr_value(d, bytes + i * size, size, "sa_family"));
	return all;
}
const struct type_ops nl_addresses = {
	.name = "addresses", .memory = addresses_memory, .partial = true};

/*
 * Shows a value in a BPF map. The value is shown as a number if it has 1, 2, 4 or 8 bytes,
 * otherwise as bytes.
 */
static struct value *number_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	uint64_t n = 0;

	if (len != 1 && len != 2 && len != 4 && len != 8)
		return NULL;
	memcpy(&n, bytes, len);
	return value_hex(d->arena, n);
}
const struct type_ops nl_number = {.name = "nl_number", .memory = number_memory};
