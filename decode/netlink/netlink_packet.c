/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A buffer that a netlink socket sends or receives. It contains a sequence of messages. */
#include <linux/netlink.h>
#include <string.h>

#include "decode/core/socket_info.h"
#include "decode/netlink/netlink.h"

/* Shows the messages in a buffer that a netlink socket sends or receives: len bytes at addr. */
static struct value *decode_netlink(struct decoder *d, int fd, uint64_t addr, uint64_t len)
{
	int protocol = socket_netlink_protocol(d, fd);
	struct value *all = value_array(d->arena), *v, *end;
	size_t at = 0, shown = 0, readable = 0, used;
	uint64_t total = len;
	uint8_t *bytes;

	if (protocol == NETLINK_KOBJECT_UEVENT)
		return netlink_uevent(d, addr, len);
	if (len < sizeof(struct nlmsghdr)) {
		v = decode_buffer(d, addr, len);
		v->text |= v->kind == VALUE_STRING ? TEXT_HEX_STRING : 0;
		return v;
	}
	len = size_min(len, DECODE_BYTES_MAX);
	bytes = decode_read_new(d, addr, len, NULL);
	if (!bytes) {
		/*
		 * The readable part of the buffer ends at a page boundary, so read the buffer page
		 * by page.
		 */
		bytes = arena_zalloc(d->arena, len);
		for (size_t page = 4096 - addr % 4096; page < len; page += 4096) {
			if (decode_read(d, addr + readable, bytes + readable, page - readable))
				break;
			readable = page;
		}
		if (readable < sizeof(struct nlmsghdr))
			return value_addr(d->arena, addr);
		d->nl_bytes = bytes;
		d->nl_addr_of = addr;
		d->nl_len = len;
		d->nl_read = readable;
	}
	while (at < len) {
		uint32_t n;

		end = netlink_unread(d, bytes + at, sizeof(struct nlmsghdr));
		if (end && len - at >= sizeof(struct nlmsghdr)) {
			value_add(all, netlink_cut(d, end));
			break;
		}
		if (len - at < sizeof(struct nlmsghdr)) {
			value_add(all, netlink_hex(d, bytes + at, len - at));
			break;
		}
		if (shown++ >= netlink_shown_limit(d)) {
			all->flags |= VALUE_F_MORE;
			break;
		}
		memcpy(&n, bytes + at, sizeof(n));
		used = size_min(len - at, size_max(n, sizeof(struct nlmsghdr)));
		value_add(all, netlink_message(d, protocol, addr + at, bytes + at, used));
		/*
		 * If the length of a message is smaller than a header, or overflows 32 bits when
		 * aligned, the start of the next message is unknown. Decode no more messages then.
		 */
		if (n < sizeof(struct nlmsghdr) || n > UINT32_MAX - NLMSG_ALIGNTO + 1)
			break;
		at += ((uint64_t)n + NLMSG_ALIGNTO - 1) / NLMSG_ALIGNTO * NLMSG_ALIGNTO;
		if (at >= len && at < total)
			value_add(all, netlink_cut(d, value_addr(d->arena, addr + at)));
	}
	d->nl_bytes = NULL;
	return netlink_one_or_all(all);
}

struct value *decode_packet(struct decoder *d, int fd, uint64_t addr, uint64_t len)
{
	if (addr && len && !(d->mode & DECODE_NO_DEREF) && d->packet != PACKET_OTHER &&
	    (d->packet == PACKET_NETLINK || socket_is_netlink(d, fd)))
		return decode_netlink(d, fd, addr, len);
	return decode_buffer(d, addr, len);
}

struct value *netlink_buffer(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t len;

	if (!decode_length(d, &t->len, &len))
		return value_addr(d->arena, n);
	/*
	 * With MSG_TRUNC, the result is the length of the packet, which may be larger than the
	 * buffer, so limit it to the buffer's size.
	 */
	if (t->len.from == LEN_RET)
		len = size_min(len, decode_arg_raw(d, 2));
	return decode_packet(d, (int)decode_arg_raw(d, 0), n, len);
}
const struct type_ops type_netlink_buffer = {
	.name = "netlink_buffer", .number = netlink_buffer, .fetch = netlink_buffer};
