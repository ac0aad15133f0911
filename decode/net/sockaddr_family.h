/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address families with members that the field tables of linux/structs/sockaddr.def cannot
 * describe.
 */
#ifndef TRACER_DECODE_NET_SOCKADDR_FAMILY_H
#define TRACER_DECODE_NET_SOCKADDR_FAMILY_H

#include "decode/core/decode.h"

/*
 * Shows an array of bytes in hexadecimal, in strace's format for addresses, such as [0x1, 00,
 * 0xff].
 */
struct value *sockaddr_hex_bytes(struct decoder *d, const uint8_t *bytes, size_t len);
/* Adds the members of an AF_AX25 address. Returns false if the address is too short. */
bool sockaddr_add_ax25(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len);

/* Fields that occur only in one family, for linux/structs/sockaddr.def. */
decode_fn sockaddr_number_and_name, sockaddr_hex8, sockaddr_htonl_hex, sockaddr_tipc_scope,
	sockaddr_xdp_fd, sockaddr_htobs, sockaddr_l2_psm, sockaddr_l2_cid;
/* A number, followed by its name in table x as a comment: 0x2 / * IEEE802154_ADDR_SHORT * /. */
#define NUMBER_AND_NAME(x, w)                                                                      \
	TYPE(type_fn, .width = (w), .fn = sockaddr_number_and_name, .names = &xlat_##x)
/* A byte in hexadecimal, such as 00 or 0x1. */
#define SHORT_HEX8 FN8(sockaddr_hex8)
extern const struct type_ops type_chars_left, type_short_hex_bytes, type_nfc_service_name,
	type_sockaddr_mac, type_sockaddr_bdaddr;
#define SOCKADDR_MAC(n) MEMFN(type_sockaddr_mac, n)
/*
 * The address of a Bluetooth device. The member's name is not coloured. If comma_ is true, the
 * comma before it is not coloured either.
 */
#define BDADDR(comma_) TYPE(type_sockaddr_bdaddr, .len = N(6), .n = (comma_))
extern const struct type_case tipc_addrs[];

#endif
