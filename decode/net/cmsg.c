/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control messages, see cmsg(3), unix(7), ip(7) and socket(7). */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "linux/families.h"

/* Shows the name of a number. If it has no name, shows the number with the comment `unknown`. */
static struct value *named(struct decoder *d, const struct xlat *names, uint32_t n,
			   const char *unknown)
{
	struct value *v;

	if (xlat_name(names, n))
		return value_enum(d->arena, names, n);
	v = value_hex(d->arena, n);
	v->comment = unknown;
	v->text |= TEXT_COMMENT_READS;
	return v;
}

static struct value *cmsg_protocol(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return named(d, &xlat_inet_protocols, n, "IP_???");
}

static const struct cmsg_row {
	int level, type;
	/*
	 * The format of the data: one element, one element in brackets, or any number of elements
	 * in brackets.
	 */
	enum { ONE, ONE_BRACKETED, MANY } shape;
	bool unknown; /* if true, data that is too short is shown as "???", otherwise as bytes */
	struct type data;
} rows[] = {
	{SOL_SOCKET, 1 /* SCM_RIGHTS */, MANY, false, FD},
	{SOL_SOCKET, 2 /* SCM_CREDENTIALS */, ONE, false, STRUCT(ucred)},
	{SOL_SOCKET, 4 /* SCM_PIDFD */, ONE, false, FD},
	{SOL_SOCKET, 29 /* SO_TIMESTAMP_OLD */, ONE, true, STRUCT(timeval)},
	{SOL_SOCKET, 35 /* SO_TIMESTAMPNS_OLD */, ONE, true, STRUCT(timespec)},
	{SOL_SOCKET, 37 /* SO_TIMESTAMPING_OLD */, ONE, true, ARRAY_ALL(STRUCT(timespec), 3)},
	{SOL_SOCKET, 63 /* SO_TIMESTAMP_NEW */, ONE, true, STRUCT(cmsg_timeval64)},
	{SOL_SOCKET, 64 /* SO_TIMESTAMPNS_NEW */, ONE, true, STRUCT(timespec64)},
	{SOL_SOCKET, 65 /* SO_TIMESTAMPING_NEW */, ONE, true, ARRAY_ALL(STRUCT(timespec64), 3)},
	{SOL_IP, 1 /* IP_TOS */, MANY, false, HEX8},
	{SOL_IP, 2 /* IP_TTL */, MANY, false, UINT},
	{SOL_IP, 6 /* IP_RECVOPTS */, MANY, false, HEX8},
	{SOL_IP, 7 /* IP_RETOPTS */, MANY, false, HEX8},
	{SOL_IP, 8 /* IP_PKTINFO */, ONE, false, STRUCT(in_pktinfo)},
	{SOL_IP, 11 /* IP_RECVERR */, ONE, false, STRUCT(sock_extended_err)},
	{SOL_IP, 23 /* IP_CHECKSUM */, MANY, false, UINT},
	{SOL_IP, 52 /* IP_PROTOCOL */, ONE_BRACKETED, false, FN32(cmsg_protocol)},
};

static const struct cmsg_row *row_of(uint32_t level, uint32_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if ((uint32_t)rows[i].level == level && (uint32_t)rows[i].type == type)
			return &rows[i];
	return NULL;
}

static struct value *data_value(struct decoder *d, uint32_t level, uint32_t type, uint64_t addr,
				const uint8_t *bytes, size_t len)
{
	const struct cmsg_row *row = row_of(level, type);
	struct value *v;

	if (row && len >= decode_size(d->abi, &row->data)) {
		struct type all = {.ops = &type_array, .elem = &row->data};

		if (row->shape == ONE_BRACKETED) {
			len = decode_size(d->abi, &row->data);
			all.flags = TYPE_F_ALL;
		}
		return decode_bytes(d, row->shape == ONE ? &row->data : &all, addr, bytes, len);
	}
	if (row && row->unknown)
		return value_plain(d->arena, "???");
	if (level == SOL_IP && type == 20 /* IP_ORIGDSTADDR */ && len >= sizeof(struct sockaddr_in))
		return decode_sockaddr(d, addr, len);
	if (type == 3 /* SCM_SECURITY */ && (level == SOL_SOCKET || level == SOL_IP))
		return value_string(d->arena, bytes, len);
	v = value_string(d->arena, bytes, len);
	v->text |= TEXT_HEX_STRING;
	return v;
}

static struct value *type_value(struct decoder *d, uint32_t level, uint32_t type)
{
	if (level == SOL_SOCKET)
		return value_enum(d->arena, &xlat_scm_types, type);
	if (level == SOL_IP)
		return value_enum(d->arena, &xlat_ip_cmsg_types, type);
	return value_hex(d->arena, type);
}

struct value *decode_cmsgs(struct decoder *d, uint64_t addr, uint64_t len)
{
	size_t header = struct_size(d->abi, &struct_cmsghdr), at = 0, count = 0;
	struct value *v = value_array(d->arena);
	bool cut;
	uint8_t *bytes;

	/*
	 * The kernel does not accept data that is longer than optmem_max, so show at most
	 * optmem_max bytes.
	 */
	cut = len > fact_optmem_max(d->facts);
	len = size_min(cut ? fact_optmem_max(d->facts) : len, DECODE_BYTES_MAX);
	bytes = len >= header ? decode_read_new(d, addr, len, NULL) : NULL;
	if (!bytes)
		return value_addr(d->arena, addr);
	while (len - at >= header) {
		struct scope scope = {.up = d->scope,
				      .desc = &struct_cmsghdr,
				      .bytes = bytes + at,
				      .len = header,
				      .addr = addr + at};
		struct value *c = value_struct(d->arena);
		uint64_t cmsg_len;
		uint32_t level, type;
		size_t data, next;
		bool is_short;

		if (count++ == DECODE_ELEMS_MAX)
			break;
		if (decode_is_spent(d)) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		d->scope = &scope;
		cmsg_len = decode_field(d, "cmsg_len");
		level = decode_field(d, "cmsg_level");
		type = decode_field(d, "cmsg_type");
		d->scope = scope.up;
		value_add_named(c, "cmsg_len", value_uint(d->arena, cmsg_len));
		value_add_named(c, "cmsg_level", named(d, &xlat_sock_levels, level, "SOL_???"));
		value_add_named(c, "cmsg_type", type_value(d, level, type));
		is_short = cmsg_len < header;
		cmsg_len = size_max(cmsg_len, header);
		data = size_min(cmsg_len, len - at) - header;
		if (data)
			value_add_named(c, "cmsg_data",
					data_value(d, level, type, addr + at + header,
						   bytes + at + header, data));
		value_add(v, c);
		next = at + (is_short ? header : align_up(cmsg_len, d->abi->long_size));
		if (next >= len || cmsg_len >= len - at) {
			if (cut)
				v->flags |= VALUE_F_MORE;
			break;
		}
		if (is_short || len - next < header) {
			value_add(v, value_more_at(d->arena, addr + next, 0));
			break;
		}
		at = next;
	}
	return v;
}
