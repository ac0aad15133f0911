/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that transfer packets through sockets. */
#ifndef TRACER_DECODE_NET_PACKETS_H
#define TRACER_DECODE_NET_PACKETS_H

#include "linux/syscall_desc.h"

/*
 * Returns true if a call sends or receives packets. The type of the socket in the first argument
 * determines how the data of such a call is shown: messages of netlink sockets are decoded.
 */
bool net_moves_packets(const struct syscall_desc *desc);

#endif
