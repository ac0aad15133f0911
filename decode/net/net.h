/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sockets: the arguments of socket(2), send(2), recv(2) and getsockopt(2). */
#ifndef TRACER_DECODE_NET_NET_H
#define TRACER_DECODE_NET_NET_H

#include "decode/io/iovec.h"
#include "decode/net/sockaddr.h"

decode_fn net_socketcall; /* argument 0 of socketcall(2), for example SYS_BIND */
decode_fn net_protocol; /* a protocol of socket(2); its name depends on the domain in argument 0 */

/*
 * The iov_base of a buffer that the call has filled. d->left is the number of transferred bytes in
 * this buffer and the following ones. Shows min(iov_len, d->left) bytes, and subtracts their number
 * from d->left.
 */
decode_fn net_iovec_share;

/*
 * A pointer to the struct msghdr of sendmsg(2) or recvmsg(2). net_msg_before is called at the entry
 * of recvmsg(2). It saves msg_namelen, the size of the name buffer, because the kernel overwrites
 * msg_namelen.
 */
decode_fn net_msg_sent, net_msg_received, net_msg_before;
/*
 * The arrays of struct mmsghdr of sendmmsg(2) and recvmmsg(2). net_mmsg_before is called at the
 * entry of recvmmsg(2) and saves each msg_namelen. net_mmsg_left is called at the exit of
 * recvmmsg(2) and adds a note with the remaining timeout, or "Timeout".
 */
decode_fn net_mmsg_sent, net_mmsg_received, net_mmsg_before, net_mmsg_left;

/*
 * Shows a struct msghdr whose bytes were read from addr. name_before is the size of the name buffer
 * before the call, or NET_SENT for a message that is sent. data is the number of bytes that were
 * received; it is ignored for NET_SENT.
 */
#define NET_SENT INT64_MIN
struct value *net_msghdr(struct decoder *d, const uint8_t *bytes, uint64_t addr, uint64_t data,
			 int64_t name_before);

/* Shows the control messages (cmsg(3)) in len bytes at addr. */
struct value *decode_cmsgs(struct decoder *d, uint64_t addr, uint64_t len);

/*
 * The value of a socket option, as set by the caller or returned by the kernel. linux/sockopts.def
 * specifies the value's type. If the option is not listed there, a value of 4 bytes is shown as a
 * number, other values as bytes.
 */
decode_fn net_sockopt_set, net_sockopt_got;
/* The values of particular options. */
decode_fn sockopt_port_range, sockopt_error, sockopt_txrehash, sockopt_bit;
extern const struct type_ops type_icmp_filter, type_tcp_ao_key, type_packet_address;
/* One bit of a 32-bit word, shown as a separate member, 0 or 1. Bit 0 is the lowest bit. */
#define BIT_OF_32(bit) TYPE(type_fn, .width = W32, .fn = sockopt_bit, .len = {.n = (bit)})

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads net_reads[], mmsg_reads[];

extern const struct type_ops type_net_protocol;
#define SOCK_PROTOCOL TYPE(type_net_protocol, .width = W_LONG)

extern const struct type_ops type_net_socketcall;
#define SOCKETCALL TYPE(type_net_socketcall, .width = W32)

#endif
