/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/net/packets.h"

#include "decode/net/net.h"
#include "decode/netlink/netlink.h"

bool net_moves_packets(const struct syscall_desc *desc)
{
	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct type *t = &desc->args[i].type;

		if (t->ops == &type_netlink_buffer)
			return true;
		if (t->ops == &type_fn && (t->fn == net_msg_sent || t->fn == net_msg_received ||
					   t->fn == net_mmsg_sent || t->fn == net_mmsg_received))
			return true;
	}
	return false;
}
