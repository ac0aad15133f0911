/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Socket addresses: address_families(7) and the manual page of each family. */
#ifndef TRACER_DECODE_SOCKADDR_H
#define TRACER_DECODE_SOCKADDR_H

#include "decode/core/decode.h"

/*
 * The sockaddr of len bytes at addr in the tracee. An address (VALUE_ADDR) if it is too short to
 * hold a family, or cannot be read.
 */
struct value *decode_sockaddr(struct decoder *d, uint64_t addr, uint64_t len);

/* For rows: a sockaddr that the caller passes, t->len bytes long. */
decode_fn sockaddr_arg;
/*
 * For rows: a sockaddr that the kernel stores. t->len is the argument that points to its length:
 * the room before the call, the length of the address after it.
 */
decode_fn sockaddr_filled;
/* For rows: the pointer to that length, [128 => 16]; t->len as for sockaddr_filled. */
decode_fn sockaddr_length;

/*
 * Addresses of the Internet in network order: inet_addr("1.2.3.4") and inet_pton(AF_INET6, "::1",
 * &member), where member is the name of the struct's field, or NULL outside a struct.
 */
struct value *decode_inet_addr(struct decoder *d, const uint8_t bytes[4]);
struct value *decode_inet6_addr(struct decoder *d, const uint8_t bytes[16], const char *member);
/* A struct in_addr, its four bytes read as one number in the tracee's byte order. */
decode_fn sockaddr_in_addr;
/* A struct sockaddr inside another struct, 16 bytes. */
extern const struct type_ops sockaddr_16;
/* A struct in6_addr inside a struct; the name of the field is shown as inet_pton()'s argument. */
extern const struct type_ops sockaddr_in6_member;
/* htons(80), htonl(0): network is the number as it lies in memory, in network byte order. */
struct value *decode_htons(struct decoder *d, uint16_t network);
struct value *decode_htonl(struct decoder *d, uint32_t network);
/* if_nametoindex("lo"), or the number if no interface of the tracee's network has that index. */
struct value *decode_ifindex(struct decoder *d, unsigned index);
/* n bytes for value.extra: what -X raw shows instead of a call such as htons(80). */
const struct value *decode_network_bytes(struct decoder *d, const void *bytes, size_t n);
/* 00:1a:2b: a hardware address. */
struct value *decode_mac(struct decoder *d, const uint8_t *bytes, size_t len);

/* The address inside a struct ifreq, 16 bytes, netdevice(7). */
extern const struct type_ops type_sockaddr;
#define IFREQ_ADDR MEMFN(type_sockaddr, 16)

/*
 * The sockaddr in bytes that were read, at least two of them. family_name is what its first member
 * is called, such as "sa_family"; it is kept by reference.
 */
struct value *sockaddr_value(struct decoder *d, const uint8_t *bytes, size_t len,
			     const char *family_name);
/* An array of bytes in hexadecimal, as strace writes them in addresses: [0x1, 00, 0xff]. */
struct value *sockaddr_hex_bytes(struct decoder *d, const uint8_t *bytes, size_t len);
/* The members of an address of AF_AX25; false: it is too short. */
bool sockaddr_add_ax25(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len);

/* Fields of single families, for rows of linux/structs/sockaddr.def. */
decode_fn sockaddr_number_and_name, sockaddr_hex8, sockaddr_htonl_hex, sockaddr_tipc_scope,
	sockaddr_xdp_fd, sockaddr_htobs, sockaddr_l2_psm, sockaddr_l2_cid;
/* A number with its name from table x as a comment: 0x2 / * IEEE802154_ADDR_SHORT * /. */
#define NUMBER_AND_NAME(x, w)                                                                      \
	TYPE(type_fn, .width = (w), .fn = sockaddr_number_and_name, .names = &xlat_##x)
/* A byte in hexadecimal, which is 00 if it is zero and 0x1 if it is one. */
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
