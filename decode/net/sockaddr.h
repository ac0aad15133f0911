/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Socket addresses: address_families(7) and the manual page of each family. */
#ifndef TRACER_DECODE_SOCKADDR_H
#define TRACER_DECODE_SOCKADDR_H

#include "decode/core/decode.h"

/* The sockaddr of len bytes at addr; its address where it is shorter than a family, or unreadable.
 */
struct value *decode_sockaddr(struct decoder *d, uint64_t addr, uint64_t len);

/* For rows: as long as an argument says. */
decode_fn sockaddr_arg;
/* For rows: filled in by the kernel; the length is behind a pointer, before and after the call. */
decode_fn sockaddr_filled;
/* For rows: that pointer, to the length of the address in another argument. */
decode_fn sockaddr_length;

/* inet_addr("1.2.3.4"), or with family AF_INET6 inet_pton(AF_INET6, "::1", &member); without a
 * member it is not that of a struct. */
struct value *decode_inet_addr(struct decoder *d, const uint8_t bytes[4]);
struct value *decode_inet6_addr(struct decoder *d, const uint8_t bytes[16], const char *member);
/* A struct in_addr, as it is in memory. */
decode_fn sockaddr_in_addr;
/* A struct sockaddr in place. */
extern const struct type_ops sockaddr_16;
/* A struct in6_addr, called as the struct's member that it is. */
extern const struct type_ops sockaddr_in6_member;
/* htons(80), htonl(0): what function turns into the number in the tracee's memory. */
struct value *decode_htons(struct decoder *d, uint16_t network);
struct value *decode_htonl(struct decoder *d, uint32_t network);
/* if_nametoindex("lo"), or the number where no interface has it. */
struct value *decode_ifindex(struct decoder *d, unsigned index);
/* The n bytes in memory, which -X raw shows instead of the call that makes them. */
const struct value *decode_network_bytes(struct decoder *d, const void *bytes, size_t n);
/* 00:1a:2b: a hardware address. */
struct value *decode_mac(struct decoder *d, const uint8_t *bytes, size_t len);

/* A struct sockaddr in place, 16 bytes. */
extern const struct type_ops type_sockaddr;
#define IFREQ_ADDR MEMFN(type_sockaddr, 16)

/* len bytes in hand, at least two; family_name: what its first member is called. */
struct value *sockaddr_value(struct decoder *d, const uint8_t *bytes, size_t len,
			     const char *family_name);
/* [0x1, 00, 0xff]. */
struct value *sockaddr_hex_bytes(struct decoder *d, const uint8_t *bytes, size_t len);
/* The members of an address of AF_AX25; false: it is too short. */
bool sockaddr_add_ax25(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len);

/* For rows of linux/structs/sockaddr.def. */
decode_fn sockaddr_number_and_name, sockaddr_hex8, sockaddr_htonl_hex, sockaddr_tipc_scope,
	sockaddr_xdp_fd, sockaddr_htobs, sockaddr_l2_psm, sockaddr_l2_cid;
/* A number, with its name behind it: 0x2 / * IEEE802154_ADDR_SHORT * /. */
#define NUMBER_AND_NAME(x, w)                                                                      \
	TYPE(type_fn, .width = (w), .fn = sockaddr_number_and_name, .names = &xlat_##x)
/* Two characters at least: 00, 0x1. */
#define SHORT_HEX8 FN8(sockaddr_hex8)
extern const struct type_ops type_chars_left, type_short_hex_bytes, type_nfc_service_name,
	type_sockaddr_mac, type_rxrpc_transport;
#define SOCKADDR_MAC(n) MEMFN(type_sockaddr_mac, n)
extern const struct type_case tipc_addrs[];

extern const struct type_ops type_sockaddr_arg;
#define SOCKADDR(...) TYPE(type_sockaddr_arg, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_sockaddr_filled;
#define SOCKADDR_FILLED(...) TYPE(type_sockaddr_filled, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_sockaddr_length;
#define SOCKADDR_LENGTH(...) TYPE(type_sockaddr_length, .width = W_LONG, .len = __VA_ARGS__)

#endif
