/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that move packets through sockets. */
#ifndef TRACER_DECODE_NET_PACKETS_H
#define TRACER_DECODE_NET_PACKETS_H

#include "linux/syscall_desc.h"

/*
 * Whether a call sends or receives packets. How the data are shown depends on the kind of socket in
 * its first argument: those of netlink sockets are decoded.
 */
bool net_moves_packets(const struct syscall_desc *desc);

#endif
