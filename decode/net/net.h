/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sockets: what socket(2), send(2), recv(2) and getsockopt(2) take. */
#ifndef TRACER_DECODE_NET_H
#define TRACER_DECODE_NET_H

#include "decode/io/iovec.h"
#include "decode/net/sockaddr.h"

decode_fn net_sock_type; /* SOCK_STREAM|SOCK_CLOEXEC */
decode_fn net_socketcall;
decode_fn net_protocol; /* named by the domain in argument 0 */

/* A base of a message's buffers that the call filled: takes its share of the data. */
decode_fn net_iovec_share;

/* A struct msghdr: sent; received (after net_msg_before, the hook of its entry). */
decode_fn net_msg_sent, net_msg_received, net_msg_before;
/* Arrays of struct mmsghdr, likewise. */
decode_fn net_mmsg_sent, net_mmsg_received, net_mmsg_before, net_mmsg_left;

/*
 * A struct msghdr in hand. data: bytes the call moved, for a received one;
 * name_before: the room there was for the name, NET_SENT for a sent one.
 */
#define NET_SENT INT64_MIN
struct value *net_msghdr(struct decoder *d, const uint8_t *bytes, uint64_t addr, uint64_t data,
			 int64_t name_before);

/* len bytes of control messages at addr. */
struct value *decode_cmsgs(struct decoder *d, uint64_t addr, uint64_t len);

/* The value of an option: as its row of linux/sockopts.def says, else a number or bytes. */
decode_fn net_sockopt_set, net_sockopt_got;
decode_fn sockopt_port_range, sockopt_error, sockopt_txrehash, sockopt_bit;
extern const struct type_ops type_icmp_filter, type_tcp_ao_key, type_packet_address;
/* A bit of a number of 32. */
#define BIT_OF_32(bit) TYPE(type_fn, .width = W32, .fn = sockopt_bit, .len = {.n = (bit)})

/* What the hatches above read of memory. */
extern const struct hatch_reads net_reads[];

extern const struct type_ops type_net_sock_type;
#define SOCK_TYPE TYPE(type_net_sock_type, .width = W32)

extern const struct type_ops type_net_protocol;
#define SOCK_PROTOCOL TYPE(type_net_protocol, .width = W_LONG)

extern const struct type_ops type_net_socketcall;
#define SOCKETCALL TYPE(type_net_socketcall, .width = W32)

#endif
